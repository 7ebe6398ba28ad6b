// s222: A recurrence between two updates.

#pragma hone kernel inout(a [0:n], e [0:n]) in(b [0:n], c [0:n])problem(n = 32000)
void s222(float* __restrict a, const float* __restrict b, const float* __restrict c, float* __restrict e, int n) {
  for (int i = 1; i < n; i++) {
    a[i] += b[i] * c[i];
    e[i] = e[i - 1] * e[i - 1];
    a[i] -= b[i] * c[i];
  }
}
