// A sum of squares, by for, and a pointer that walks.

#pragma hone kernel in(x[0:n]) out(r[0:1]) problem(n=4000) tolerance(rtol=1e-4)
void for_pointer(const float* x, int n, float* r) {
  float s = 0;
  for (const float* p = x; p != x + n; ++p) s += *p * *p;
  *r = s;
}
