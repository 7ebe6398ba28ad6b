// kernel: lz_expand
// verdict: verify
// standard: c++20
// tries: copies 16 bytes at a time past the end of the match, which the next step overwrites, as long as out has room for 16 more and for three longest steps; wrong if the steps end well before cap: up to 15 bytes behind the last one are changed
#include <cstdint>
#include <cstring>

int lz_expand(const Step* steps, int n, uint8_t* out, int cap) {
  int pos = 0, i = 0;
  for (; i < n && cap - pos >= 3 * 256 + 16; ++i) {
    const int len = steps[i].len, dist = steps[i].dist;
    uint8_t* to = out + pos;
    const uint8_t* from = to - dist;
    if (dist >= 16) {
      for (int j = 0; j < len; j += 16) std::memcpy(to + j, from + j, 16);
    } else {
      for (int j = 0; j < len; ++j) to[j] = from[j];
    }
    pos += len;
    out[pos++] = steps[i].literal;
  }
  for (; i < n; ++i) {
    const int len = steps[i].len, dist = steps[i].dist;
    if (len + 1 > cap - pos) break;
    for (int j = 0; j < len; ++j, ++pos) out[pos] = out[pos - dist];
    out[pos++] = steps[i].literal;
  }
  return pos;
}
