// kernel: moving_average
// standard: c++17
// verdict: right
// tries: each window as the end of one block and the start of the next, three additions a value whatever k is
#include <algorithm>
#include <vector>
void moving_average(const float* x, float* y, int n, int k) {
  if (n < 1) return;
  k = std::clamp(k, 1, n);
  std::vector<double> suffix(static_cast<std::size_t>(k));
  for (int block = 0; block < n; block += std::min(k, n - block)) {
    const int length = std::min(k, n - block);
    double prefix = 0;
    for (int i = 0; i < length; ++i) {
      prefix += x[block + i];
      const bool whole = i == k - 1;
      const double sum = block == 0 || whole ? prefix : suffix[i + 1] + prefix;
      y[block + i] = static_cast<float>(sum) / static_cast<float>(block == 0 ? i + 1 : k);
    }
    double back = 0;
    for (int i = length - 1; i >= 0; --i) suffix[i] = back += x[block + i];
  }
}
