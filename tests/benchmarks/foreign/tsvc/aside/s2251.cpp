// s2251: A scalar that goes from one iteration to the next, and an array that is changed behind it.

#pragma hone kernel out(a [0:n]) inout(b [0:n]) in(c [0:n], d [0:n], e [0:n])problem(n = 32000)
void s2251(float* __restrict a, float* __restrict b, const float* __restrict c, const float* __restrict d,
           const float* __restrict e, int n) {
  float s = 0.f;
  for (int i = 0; i < n; i++) {
    a[i] = s * e[i];
    s = b[i] + c[i];
    b[i] = a[i] + d[i];
  }
}
