// kernel: median3x3
// verdict: wrong
// standard: c++20
// tries: min and max on 32 pixels at once; the end of a row also by a whole vector where the pitch leaves room for it
#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

static inline __m256i middle(__m256i a, __m256i b, __m256i c) {
  return _mm256_max_epu8(_mm256_min_epu8(a, b), _mm256_min_epu8(_mm256_max_epu8(a, b), c));
}

void median3x3(const uint8_t* src, int src_pitch, uint8_t* dst, int dst_pitch, int w, int h) {
  if (w <= 0 || h <= 0) return;
  // Three rows with their border repeated, and room for a vector behind them.
  const size_t length = static_cast<size_t>(w) + 2 + 64;
  std::vector<uint8_t> room(3 * length);
  const auto load = [](const uint8_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); };
  const auto fetch = [&](int y) {
    uint8_t* to = room.data() + (y + 3) % 3 * length;
    const uint8_t* from = src + static_cast<ptrdiff_t>(std::clamp(y, 0, h - 1)) * src_pitch;
    std::copy(from, from + w, to + 1);
    to[0] = to[1];
    to[w + 1] = to[w];
  };
  fetch(-1);
  fetch(0);
  for (int y = 0; y < h; ++y) {
    fetch(y + 1);
    const uint8_t* rows[3] = {room.data(), room.data() + length, room.data() + 2 * length};
    uint8_t* out = dst + static_cast<ptrdiff_t>(y) * dst_pitch;
    const int space = y + 1 < h ? dst_pitch : w;  // the last row ends with the image
    for (int x = 0; x < w; x += 32) {
      __m256i low[3], mid[3], high[3];
      for (int k = 0; k < 3; ++k) {
        const __m256i a = load(rows[0] + x + k), b = load(rows[1] + x + k), c = load(rows[2] + x + k);
        const __m256i small = _mm256_min_epu8(a, b), large = _mm256_max_epu8(a, b);
        low[k] = _mm256_min_epu8(small, c);
        high[k] = _mm256_max_epu8(large, c);
        mid[k] = _mm256_max_epu8(small, _mm256_min_epu8(large, c));
      }
      const __m256i result = middle(_mm256_max_epu8(_mm256_max_epu8(low[0], low[1]), low[2]),
                                    middle(mid[0], mid[1], mid[2]),
                                    _mm256_min_epu8(_mm256_min_epu8(high[0], high[1]), high[2]));
      if (x + 32 <= space) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + x), result);
      } else {
        uint8_t rest[32];
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(rest), result);
        std::copy(rest, rest + (w - x), out + x);
      }
    }
  }
}
