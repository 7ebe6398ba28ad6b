// A sum of squares, by continue where an element does not count.

#pragma hone kernel in(x[0:n]) out(r[0:1]) problem(n=4000) tolerance(rtol=1e-4)
void skipping(const float* x, int n, float* r) {
  float s = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0) continue;
    s += x[i] * x[i];
  }
  *r = s;
}
