// s221: An update and a running sum of what it gives.

#pragma hone kernel inout(a [0:n], b [0:n]) in(c [0:n], d [0:n])problem(n = 32000) tolerance(rtol = 1e-4)
void s221(float* __restrict a, float* __restrict b, const float* __restrict c, const float* __restrict d, int n) {
  for (int i = 1; i < n; i++) {
    a[i] += c[i] * d[i];
    b[i] = b[i - 1] + a[i] + d[i];
  }
}
