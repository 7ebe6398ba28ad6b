// kernel: ranking
// verdict: right
// tries: std::sort, which need not be stable as places decide between equals
#include <algorithm>
#include <numeric>
void ranking(const float* keys, int* order, int n) {
  std::iota(order, order + n, 0);
  for (int i = 0; i < n; ++i)
    if (keys[i] != keys[i]) {
      std::stable_sort(order, order + n, [keys](int a, int b) { return keys[a] < keys[b]; });
      return;
    }
  std::sort(order, order + n, [keys](int a, int b) { return keys[a] < keys[b] || (keys[a] == keys[b] && a < b); });
}
