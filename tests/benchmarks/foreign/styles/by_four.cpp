// A sum of squares, by four at a time, by hand.

#pragma hone kernel in(x[0:n]) out(r[0:1]) problem(n=4000) tolerance(rtol=1e-4)
void by_four(const float* x, int n, float* r) {
  float s = 0;
  int i = 0;
  for (; i + 3 < n; i += 4) {
    s += x[i] * x[i];
    s += x[i + 1] * x[i + 1];
    s += x[i + 2] * x[i + 2];
    s += x[i + 3] * x[i + 3];
  }
  for (; i < n; ++i) s += x[i] * x[i];
  *r = s;
}
