// kernel: dot
// verdict: verify "heap-buffer-overflow"
// tries: to read one element behind a vector of its own
#include <vector>
double dot(const float* x, const float* y, int n) {
  std::vector<double> parts(n + 1);
  for (int i = 0; i < n; ++i) parts[i] = static_cast<double>(x[i]) * y[i];
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += parts.data()[i];
  volatile double unused = parts.data()[n + 1];
  (void)unused;
  return sum;
}
