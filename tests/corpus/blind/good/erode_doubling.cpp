// kernel: erode
// standard: c++17
// verdict: right
// tries: separable, windows of twice the length from two of the last, sixteen bytes at once in SSE2
#include <emmintrin.h>
#include <algorithm>
#include <cstring>
#include <vector>
static void least(unsigned char* to, const unsigned char* a, const unsigned char* b, long n) {  // to may be a.
  long i = 0;
  for (; i + 16 <= n; i += 16)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_min_epu8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a + i)),
                                  _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + i))));
  for (; i < n; ++i) to[i] = std::min(a[i], b[i]);
}
// The least of each `window` of elements that stand `step` apart; n of them, with (window - 1) * step more behind.
static void windows(unsigned char* v, long n, long window, long step) {
  long length = 1;
  for (; 2 * length <= window; length *= 2) least(v, v, v + length * step, n + (window - 2 * length) * step);
  if (length < window) least(v, v, v + (window - length) * step, n);
}
void erode(const unsigned char* src, unsigned char* dst, int h, int w, int r) {
  if (h < 1 || w < 1) return;
  const long ra = std::clamp(r, 0, w - 1), rd = std::clamp(r, 0, h - 1);
  std::vector<unsigned char> line(w + 2 * ra), image((h + 2 * rd) * w, 255);
  for (long y = 0; y < h; ++y) {
    std::fill_n(line.begin(), ra, 255);
    std::memcpy(line.data() + ra, src + y * w, w);
    std::fill(line.begin() + ra + w, line.end(), 255);
    windows(line.data(), w, 2 * ra + 1, 1);
    std::memcpy(image.data() + (y + rd) * w, line.data(), w);
  }
  windows(image.data(), static_cast<long>(h) * w, 2 * rd + 1, w);
  std::memcpy(dst, image.data(), static_cast<std::size_t>(h) * w);
}
