// kernel: moving_average
// standard: c++17
// verdict: right
// tries: a running sum in double, begun anew every 512 values; what is not finite goes the slow way
#include <algorithm>
void moving_average(const float* x, float* y, int n, int k) {
  if (n < 1) return;
  k = std::clamp(k, 1, n);
  float check[4] = {};  // Zero times anything finite.
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int l = 0; l < 4; ++l) check[l] += x[i + l] * 0.0f;
  for (; i < n; ++i) check[0] += x[i] * 0.0f;
  if (!(check[0] + check[1] + check[2] + check[3] == 0)) {
    for (i = 0; i < n; ++i) {
      const int first = std::max(i - k + 1, 0);
      float sum = 0;
      for (int j = first; j <= i; ++j) sum += x[j];
      y[i] = sum / static_cast<float>(i - first + 1);
    }
    return;
  }
  double sum = 0;
  for (i = 0; i < k; ++i) {
    sum += x[i];
    y[i] = static_cast<float>(sum) / static_cast<float>(i + 1);
  }
  const float count = static_cast<float>(k);
  while (i < n) {
    sum = 0;
    for (int j = i - k + 1; j <= i; ++j) sum += x[j];
    y[i] = static_cast<float>(sum) / count;
    const int end = std::min(i + std::max(512, k), n);
    for (++i; i < end; ++i) {
      sum += static_cast<double>(x[i]) - x[i - k];
      y[i] = static_cast<float>(sum) / count;
    }
  }
}
