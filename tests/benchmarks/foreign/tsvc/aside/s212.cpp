// s212: The second statement reads what the first one is about to change.

#pragma hone kernel inout(a [0:n], b [0:n]) in(c [0:n], d [0:n])problem(n = 32000)
void s212(float* __restrict a, float* __restrict b, const float* __restrict c, const float* __restrict d, int n) {
  for (int i = 0; i < n - 1; i++) {
    a[i] *= c[i];
    b[i] += a[i + 1] * d[i];
  }
}
