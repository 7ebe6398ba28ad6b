// s323: A recurrence through two arrays.

#pragma hone kernel out(a [0:n]) inout(b [0:n]) in(c [0:n], d [0:n], e [0:n])problem(n = 32000) tolerance(rtol = 1e-4)
void s323(float* __restrict a, float* __restrict b, const float* __restrict c, const float* __restrict d,
          const float* __restrict e, int n) {
  for (int i = 1; i < n; i++) {
    a[i] = b[i - 1] + c[i] * d[i];
    b[i] = a[i] + c[i] * e[i];
  }
}
