// kernel: sort_keys
// verdict: verify
// tries: a sort that subtracts keys to compare them: 0 and 3000000000 differ by less than nothing
#include <algorithm>
static int difference(unsigned a, unsigned b) {
  return static_cast<int>(a - b);
}
void sort_keys(const unsigned* keys, unsigned* sorted, int n) {
  std::copy(keys, keys + n, sorted);
  std::sort(sorted, sorted + n, [](unsigned a, unsigned b) { return difference(a, b) < 0; });
}
