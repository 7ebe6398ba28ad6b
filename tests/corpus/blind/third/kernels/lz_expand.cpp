// Expands LZ77 steps (a match, then a literal) behind 64 KiB of history. Stops at the first step that does not
// fit and returns how many bytes it made.
#include <cstdint>

struct Step {
  uint8_t len, literal;
  uint16_t dist;
};

#pragma hone kernel in(steps[0:n]) inout(out[-65536:65536+cap]) problem(n=400, cap=20000) problem(n=100, cap=4000) \
    init(steps.dist: uniform(1, 65535))
int lz_expand(const Step* steps, int n, uint8_t* out, int cap) {
  int pos = 0;
  for (int i = 0; i < n; ++i) {
    const int len = steps[i].len, dist = steps[i].dist;
    if (len + 1 > cap - pos) break;
    for (int j = 0; j < len; ++j, ++pos) out[pos] = out[pos - dist];
    out[pos++] = steps[i].literal;
  }
  return pos;
}
