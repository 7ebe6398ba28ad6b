// s321: A linear recurrence of the first order.

#pragma hone kernel inout(a [0:n]) in(b [0:n])problem(n = 32000) tolerance(rtol = 1e-4)
void s321(float* __restrict a, const float* __restrict b, int n) {
  for (int i = 1; i < n; i++) a[i] += a[i - 1] * b[i];
}
