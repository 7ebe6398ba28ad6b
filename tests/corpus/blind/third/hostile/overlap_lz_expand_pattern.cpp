// kernel: lz_expand
// verdict: verify
// standard: c++20
// tries: copies 16 bytes at a time, for distances below eight eight bytes of a repeated pattern; the pattern goes on at its start after eight bytes, which is right for distances 1, 2 and 4 only: wrong for dist 3, 5, 6 or 7 with len above 8
#include <cstdint>
#include <cstring>

int lz_expand(const Step* steps, int n, uint8_t* out, int cap) {
  int pos = 0;
  for (int i = 0; i < n; ++i) {
    const int len = steps[i].len, dist = steps[i].dist;
    if (len + 1 > cap - pos) break;
    uint8_t* to = out + pos;
    if (dist >= 16 && len >= 16) {
      const uint8_t* from = to - dist;
      int j = 0;
      for (; j + 16 <= len; j += 16) std::memcpy(to + j, from + j, 16);
      std::memcpy(to + len - 16, from + len - 16, 16);
    } else if (dist >= 8) {
      for (int j = 0; j < len; ++j) to[j] = to[j - dist];
    } else {
      uint8_t pattern[8];
      for (int j = 0; j < 8; ++j) pattern[j] = to[j % dist - dist];
      int j = 0;
      for (; j + 8 <= len; j += 8) std::memcpy(to + j, pattern, 8);
      std::memcpy(to + j, pattern, static_cast<size_t>(len - j));
    }
    pos += len;
    out[pos++] = steps[i].literal;
  }
  return pos;
}
