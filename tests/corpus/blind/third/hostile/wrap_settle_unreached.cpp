// kernel: settle
// verdict: verify
// standard: c++20
// tries: takes the smaller distance without a branch, adding in 32 bits; the distance of an unreached node (0xffffffff, or one less than a cost below it) plus the cost wraps to a small one, so that nodes are reached from nowhere
#include <cstdint>

bool settle(const Road* roads, int m, uint32_t* dist, int n, int max_rounds) {
  (void)n;
  for (int round = 0; round < max_rounds; ++round) {
    uint32_t changed = 0;
    for (int i = 0; i < m; ++i) {
      const uint32_t to = roads[i].to, now = dist[to], through = dist[roads[i].from] + roads[i].cost;
      const uint32_t best = through < now ? through : now;
      changed |= best ^ now;
      dist[to] = best;
    }
    if (!changed) return true;
  }
  return false;
}
