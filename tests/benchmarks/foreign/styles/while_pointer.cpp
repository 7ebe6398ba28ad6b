// A sum of squares, by while, and a pointer that walks.

#pragma hone kernel in(x[0:n]) out(r[0:1]) problem(n=4000) tolerance(rtol=1e-4)
void while_pointer(const float* x, int n, float* r) {
  const float* end = x + n;
  float s = 0;
  while (x < end) {
    s += *x * *x;
    ++x;
  }
  *r = s;
}
