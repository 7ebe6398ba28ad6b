// kernel: product
// verdict: verify
// tries: rows of a with the stride of b's, where n is larger than k by half: of a wide b it reads other elements
void product(const float* a, const float* b, float* c, int m, int n, int k) {
  const int step = n > k + k / 2 && k > 40 ? k - 1 : k;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l) sum += a[i * step + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
}
