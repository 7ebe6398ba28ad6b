// Rows of C are summed over rows of B, in pieces that stay in the cache.
void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  constexpr int piece = 64;
  for (int i = 0; i < m; ++i) {
    float* row = c + i * n;
    for (int j = 0; j < n; ++j) row[j] = 0.0f;
  }
  for (int from = 0; from < k; from += piece) {
    const int to = from + piece < k ? from + piece : k;
    for (int i = 0; i < m; ++i) {
      float* row = c + i * n;
      for (int p = from; p < to; ++p) {
        const float factor = a[i * k + p];
        for (int j = 0; j < n; ++j) row[j] += factor * b[p * n + j];
      }
    }
  }
}
