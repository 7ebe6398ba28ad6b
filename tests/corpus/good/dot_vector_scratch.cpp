// kernel: dot
// verdict: right
// tries: the products in a std::vector first
#include <numeric>
#include <vector>
double dot(const float* x, const float* y, int n) {
  std::vector<double> products(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) products[i] = static_cast<double>(x[i]) * y[i];
  return std::accumulate(products.begin(), products.end(), 0.0);
}
