// A sum of squares, by an index that goes down.

#pragma hone kernel in(x[0:n]) out(r[0:1]) problem(n=4000) tolerance(rtol=1e-4)
void backwards_to_zero(const float* x, int n, float* r) {
  float s = 0;
  for (int i = n - 1; i >= 0; --i) s += x[i] * x[i];
  *r = s;
}
