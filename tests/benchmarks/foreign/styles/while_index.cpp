// A sum of squares, by while, and an index.

#pragma hone kernel in(x[0:n]) out(r[0:1]) problem(n=4000) tolerance(rtol=1e-4)
void while_index(const float* x, int n, float* r) {
  float s = 0;
  int i = 0;
  while (i < n) {
    s += x[i] * x[i];
    ++i;
  }
  *r = s;
}
