// s319: Two arrays, and the sum of all that is put into them.

#pragma hone kernel out(a [0:n], b [0:n]) in(c [0:n], d [0:n], e [0:n])problem(n = 32000) tolerance(rtol = 1e-4)
float s319(float* __restrict a, float* __restrict b, const float* __restrict c, const float* __restrict d,
           const float* __restrict e, int n) {
  float sum = 0.f;
  for (int i = 0; i < n; i++) {
    a[i] = c[i] + d[i];
    sum += a[i];
    b[i] = c[i] + e[i];
    sum += b[i];
  }
  return sum;
}
