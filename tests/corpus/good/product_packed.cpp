// kernel: product
// verdict: right
// tries: b turned into a vector as large as it must be, four sums
#include <vector>
void product(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m < 1 || n < 1) return;
  std::vector<float> packed(k > 0 ? static_cast<std::size_t>(k) * n : 0);
  for (int l = 0; l < k; ++l)
    for (int j = 0; j < n; ++j) packed[static_cast<std::size_t>(j) * k + l] = b[l * n + j];
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      const float *u = a + i * k, *v = packed.data() + static_cast<std::size_t>(j) * k;
      float s[4] = {};
      int l = 0;
      for (; l + 4 <= k; l += 4)
        for (int p = 0; p < 4; ++p) s[p] += u[l + p] * v[l + p];
      float sum = (s[0] + s[1]) + (s[2] + s[3]);
      for (; l < k; ++l) sum += u[l] * v[l];
      c[i * n + j] = sum;
    }
}
