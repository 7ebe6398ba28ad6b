// kernel: product
// verdict: right
// tries: the inner loop along rows, with the sums in the same order
void product(const float* __restrict a, const float* __restrict b, float* __restrict c, int m, int n, int k) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) c[i * n + j] = 0;
    for (int l = 0; l < k; ++l) {
      const float v = a[i * k + l];
      for (int j = 0; j < n; ++j) c[i * n + j] += v * b[l * n + j];
    }
  }
}
