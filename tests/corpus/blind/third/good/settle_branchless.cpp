// kernel: settle
// verdict: right
// standard: c++20
// tries: takes the smaller distance without a branch, in the roads' order; a sum that wraps counts as the largest distance, which is never nearer
#include <cstdint>

bool settle(const Road* roads, int m, uint32_t* dist, int n, int max_rounds) {
  (void)n;
  const Road* const end = roads + (m > 0 ? m : 0);
  for (int round = 0; round < max_rounds; ++round) {
    uint32_t changed = 0;
    for (const Road* r = roads; r != end; ++r) {
      const uint32_t now = dist[r->to], sum = dist[r->from] + r->cost;
      const uint32_t through = sum < r->cost ? 0xffffffffu : sum;
      const uint32_t best = through < now ? through : now;
      changed |= best ^ now;
      dist[r->to] = best;
    }
    if (!changed) return true;
  }
  return false;
}
