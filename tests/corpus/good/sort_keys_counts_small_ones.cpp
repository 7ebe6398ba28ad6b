// kernel: sort_keys
// verdict: right
// tries: counts where the largest key is small, a sort where it is not
#include <algorithm>
#include <vector>
void sort_keys(const unsigned* keys, unsigned* sorted, int n) {
  if (n < 1) return;
  const unsigned most = *std::max_element(keys, keys + n);
  if (most > 65535) {
    std::copy(keys, keys + n, sorted);
    std::sort(sorted, sorted + n);
    return;
  }
  std::vector<int> counts(most + 1, 0);
  for (int i = 0; i < n; ++i) ++counts[keys[i]];
  for (unsigned v = 0, at = 0; v <= most; ++v)
    for (int k = 0; k < counts[v]; ++k) sorted[at++] = v;
}
