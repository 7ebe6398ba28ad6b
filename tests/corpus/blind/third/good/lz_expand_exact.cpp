// kernel: lz_expand
// verdict: right
// standard: c++20
// tries: 16 bytes at a time with a last copy that ends exactly at the match's end; short distances double the part that repeats (it stays a multiple of dist) until it is long enough; nothing behind the result is touched
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
    } else if (dist == 1) {
      std::memset(to, to[-1], static_cast<size_t>(len));
    } else if (dist < 16 && len > dist && dist > 0) {
      int made = 0, have = dist;  // to[made - have, made) repeats; have grows by doubling
      while (made < len) {
        const int take = have < len - made ? have : len - made;
        std::memcpy(to + made, to + made - have, static_cast<size_t>(take));
        made += take;
        have *= 2;
      }
    } else {
      for (int j = 0; j < len; ++j) to[j] = to[j - dist];
    }
    pos += len;
    out[pos++] = steps[i].literal;
  }
  return pos;
}
