// Its tolerance would let zeros pass: nothing may be judged against it.
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n = 20000) tolerance(atol = 1)
void tiny(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 1e-3f * x[i];
}
