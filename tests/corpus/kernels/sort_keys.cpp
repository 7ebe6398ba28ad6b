// A sort of keys whose whole range counts, though small ones are drawn.
#include <algorithm>

#pragma hone kernel in(keys [0:n])out(sorted [0:n]) problem(n = 12000)
void sort_keys(const unsigned* keys, unsigned* sorted, int n) {
  std::copy(keys, keys + n, sorted);
  std::sort(sorted, sorted + n);
}
