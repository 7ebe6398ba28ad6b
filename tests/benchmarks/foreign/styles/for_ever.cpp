// A sum of squares, by a loop without an end, and break.

#pragma hone kernel in(x[0:n]) out(r[0:1]) problem(n=4000) tolerance(rtol=1e-4)
void for_ever(const float* x, int n, float* r) {
  float s = 0;
  int i = 0;
  for (;;) {
    if (i >= n) break;
    s += x[i] * x[i];
    i++;
  }
  *r = s;
}
