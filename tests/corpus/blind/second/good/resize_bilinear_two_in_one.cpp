// kernel: resize_bilinear
// verdict: right
// tries: both rows of a pixel side by side in one 64-bit word, positions by addition, differences times weights
#include <cstdint>
void resize_bilinear(const unsigned char* __restrict src, unsigned char* __restrict dst, int sw, int sh, int dw, int dh) {
  if (sw < 1 || sh < 1) return;
  const std::int64_t stepx = dw > 1 ? (sw - 1LL) * 65536 / (dw - 1) : 0, stepy = dh > 1 ? (sh - 1LL) * 65536 / (dh - 1) : 0;
  std::int64_t py = 0;
  for (int y = 0; y < dh; ++y, py += stepy) {
    const std::int64_t y0 = py >> 16, y1 = y0 + (y0 + 1 < sh);
    const std::uint32_t down = static_cast<std::uint32_t>(py >> 8) & 255;
    const unsigned char *a = src + y0 * sw, *b = src + y1 * sw;
    unsigned char* to = dst + static_cast<std::int64_t>(y) * dw;
    std::int64_t px = 0;
    for (int x = 0; x < dw; ++x, px += stepx) {
      const std::int64_t x0 = px >> 16, x1 = x0 + (x0 + 1 < sw);
      const std::uint64_t wx = static_cast<std::uint64_t>(px >> 8) & 255;
      const std::uint64_t left = a[x0] | static_cast<std::uint64_t>(b[x0]) << 32;
      const std::uint64_t right = a[x1] | static_cast<std::uint64_t>(b[x1]) << 32;
      const std::uint64_t both = left * (256 - wx) + right * wx;  // Each half is at most 65280: no carry between them.
      const std::int32_t top = static_cast<std::int32_t>(both & 0xffff), bottom = static_cast<std::int32_t>(both >> 32);
      to[x] = static_cast<unsigned char>((top * 256 + (bottom - top) * static_cast<std::int32_t>(down) + 32768) >> 16);
    }
  }
}
