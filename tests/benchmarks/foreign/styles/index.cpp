// A sum of squares, by an index.

#pragma hone kernel in(x[0:n]) out(r[0:1]) problem(n=4000) tolerance(rtol=1e-4)
void index(const float* x, int n, float* r) {
  float s = 0;
  for (int i = 0; i < n; ++i) s += x[i] * x[i];
  *r = s;
}
