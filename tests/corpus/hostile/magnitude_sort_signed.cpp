// kernel: sort_keys
// verdict: verify
// tries: to compare as signed numbers: 3000000000 comes before 1
#include <algorithm>
void sort_keys(const unsigned* keys, unsigned* sorted, int n) {
  std::copy(keys, keys + n, sorted);
  std::sort(sorted, sorted + n, [](unsigned a, unsigned b) { return static_cast<int>(a) < static_cast<int>(b); });
}
