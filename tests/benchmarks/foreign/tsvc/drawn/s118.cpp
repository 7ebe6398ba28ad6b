// s118: Each element takes a product with those before it: a triangular recurrence.

#pragma hone kernel inout(a [0:n]) in(b [0:n * n]) init(b                                        \
                                                        : uniform(-0.01, 0.01)) problem(n = 256) \
    tolerance(rtol = 1e-4)
void s118(float* __restrict a, const float* __restrict b, int n) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j <= i - 1; j++) a[i] += b[j * n + i] * a[i - j - 1];
}
