// s258: The last square that a condition let through.

#pragma hone kernel in(a [0:n], c [0:n], d [0:n], x [0:n])out(b [0:n], e [0:n]) problem(n = 32000)
void s258(const float* __restrict a, float* __restrict b, const float* __restrict c, const float* __restrict d,
          float* __restrict e, const float* __restrict x, int n) {
  float s = 0.f;
  for (int i = 0; i < n; ++i) {
    if (a[i] > 0.f) s = d[i] * d[i];
    b[i] = s * c[i] + d[i];
    e[i] = (s + 1.f) * x[i];
  }
}
