// Minimizers of a read: of each w neighbouring k-mers the one with the smallest hash, the leftmost of several.
// Returns how many different ones were chosen.
#include <cstdint>
#include <vector>

#pragma hone kernel in(hash[0:hash.size()]) out(pos[0:hash.size()]) \
    problem(hash.size()=50000, w=19) problem(hash.size()=1500, w=10) init(hash: uniform(0, 4294967295u))
int minimizers(const std::vector<uint32_t>& hash, int w, std::vector<int>& pos) {
  const int n = static_cast<int>(hash.size());
  if (w < 1 || w > n) return 0;
  int different = 0, last = -1;
  for (int i = 0; i + w <= n; ++i) {
    int best = i;
    for (int j = i + 1; j < i + w; ++j)
      if (hash[j] < hash[best]) best = j;
    pos[i] = best;
    if (best != last) ++different;
    last = best;
  }
  return different;
}
