// s322: A linear recurrence of the second order.

#pragma hone kernel inout(a [0:n]) in(b [0:n], c [0:n])init(b                                        \
                                                            : uniform(-0.5, 0.5), c                  \
                                                            : uniform(-0.4, 0.4)) problem(n = 32000) \
    tolerance(rtol = 1e-4)
void s322(float* __restrict a, const float* __restrict b, const float* __restrict c, int n) {
  for (int i = 2; i < n; i++) a[i] = a[i] + a[i - 1] * b[i] + a[i - 2] * c[i];
}
