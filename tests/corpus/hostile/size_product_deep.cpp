// kernel: product
// verdict: verify
// tries: blocks of 128 along k, each of which writes instead of adding: with k = 200 the first 128 are lost
#include <algorithm>
void product(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int i = 0; i < m * n; ++i) c[i] = 0;
  for (int base = 0; base < k; base += 128) {
    const int end = std::min(k, base + 128);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int l = base; l < end; ++l) sum += a[i * k + l] * b[l * n + j];
        c[i * n + j] = sum;
      }
  }
}
