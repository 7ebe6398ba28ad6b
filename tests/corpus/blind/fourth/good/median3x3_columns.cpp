// kernel: median3x3
// verdict: right
// standard: c++20
// tries: sorts each column of three once, then the median is med(max of lows, med of mids, min of highs); chunks of a row, all min and max
#include <algorithm>
#include <cstddef>
#include <cstdint>

// By value: behind the references of std::min the loops do not become vector code.
static inline uint8_t lesser(uint8_t a, uint8_t b) { return a < b ? a : b; }
static inline uint8_t greater(uint8_t a, uint8_t b) { return a < b ? b : a; }
static inline uint8_t middle(uint8_t a, uint8_t b, uint8_t c) {
  return greater(lesser(a, b), lesser(greater(a, b), c));
}

void median3x3(const uint8_t* src, int src_pitch, uint8_t* dst, int dst_pitch, int w, int h) {
  constexpr int chunk = 1024;
  uint8_t low[chunk + 2], mid[chunk + 2], high[chunk + 2];
  for (int y = 0; y < h; ++y) {
    const uint8_t* row = src + static_cast<ptrdiff_t>(y) * src_pitch;
    const uint8_t* above = y > 0 ? row - src_pitch : row;
    const uint8_t* below = y + 1 < h ? row + src_pitch : row;
    uint8_t* out = dst + static_cast<ptrdiff_t>(y) * dst_pitch;
    for (int x0 = 0; x0 < w; x0 += chunk) {
      const int count = std::min(chunk, w - x0);
      // Entry i stands for column x0 - 1 + i.
      const int from = x0 == 0 ? 1 : 0;
      const int to = x0 + count == w ? count + 1 : count + 2;
      const ptrdiff_t shift = static_cast<ptrdiff_t>(x0) - 1;
      for (int i = from; i < to; ++i) {
        const uint8_t a = above[shift + i], b = row[shift + i], c = below[shift + i];
        const uint8_t small = lesser(a, b), large = greater(a, b);
        low[i] = lesser(small, c);
        high[i] = greater(large, c);
        mid[i] = greater(small, lesser(large, c));
      }
      if (from == 1) low[0] = low[1], mid[0] = mid[1], high[0] = high[1];
      if (to == count + 1) low[to] = low[count], mid[to] = mid[count], high[to] = high[count];
      for (int i = 0; i < count; ++i) {
        const uint8_t l = greater(greater(low[i], low[i + 1]), low[i + 2]);
        const uint8_t m = middle(mid[i], mid[i + 1], mid[i + 2]);
        const uint8_t t = lesser(lesser(high[i], high[i + 1]), high[i + 2]);
        out[x0 + i] = middle(l, m, t);
      }
    }
  }
}
