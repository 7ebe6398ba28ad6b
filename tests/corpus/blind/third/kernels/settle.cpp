// Rounds of Bellman and Ford over the roads of a map, in their order, each seeing what those before it did.
// Nodes that nobody has reached have the distance 0xffffffff. Says whether a round changed nothing.
#include <cstdint>

struct Road {
  uint32_t from, to;
  uint16_t cost;
};

#pragma hone kernel in(roads[0:m]) inout(dist[0:n]) problem(m=40000, n=32000, max_rounds=200) \
    problem(m=10000, n=8000, max_rounds=200) requires(n > 0) \
    init(roads.from: index(n), roads.to: index(n), dist: uniform(0, 4294967295u))
bool settle(const Road* roads, int m, uint32_t* dist, int n, int max_rounds) {
  (void)n;
  for (int round = 0; round < max_rounds; ++round) {
    bool changed = false;
    for (int i = 0; i < m; ++i) {
      const uint64_t through = static_cast<uint64_t>(dist[roads[i].from]) + roads[i].cost;
      if (through < dist[roads[i].to]) {
        dist[roads[i].to] = static_cast<uint32_t>(through);
        changed = true;
      }
    }
    if (!changed) return true;
  }
  return false;
}
