// s123: One element for each, and a second one where a condition holds.

#pragma hone kernel out(a [0:n]) in(b [0:n / 2], c [0:n / 2], d [0:n / 2], e [0:n / 2]) problem(n = 32000)
void s123(float* __restrict a, const float* __restrict b, const float* __restrict c, const float* __restrict d,
          const float* __restrict e, int n) {
  int j = -1;
  for (int i = 0; i < n / 2; i++) {
    j++;
    a[j] = b[i] + d[i] * e[i];
    if (c[i] > 0.f) {
      j++;
      a[j] = c[i] + d[i] * e[i];
    }
  }
}
