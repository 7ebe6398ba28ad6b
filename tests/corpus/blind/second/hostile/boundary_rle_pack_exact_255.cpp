// kernel: rle_pack
// verdict: verify
// tries: ends of runs as bit masks of 16 bytes, long runs cut while at least 255 are left: a run of exactly 255 (510, ...) gets a pair with a count of 0 behind it
#include <cstring>
#include <emmintrin.h>
int rle_pack(const unsigned char* src, unsigned char* dst, int n) {
  if (n <= 0) return 0;
  unsigned char* out = dst;
  int begin = 0;
  const auto put = [&](int end) {
    const unsigned char value = src[begin];
    int left = end - begin;
    for (; left >= 255; left -= 255) {
      *out++ = value;
      *out++ = 255;
    }
    *out++ = value;
    *out++ = static_cast<unsigned char>(left);
    begin = end;
  };
  int i = 0;
  for (; i + 17 <= n; i += 16) {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i));
    const __m128i next = _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i + 1));
    unsigned ends = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(here, next))) ^ 0xFFFFu;
    for (; ends != 0; ends &= ends - 1) put(i + __builtin_ctz(ends) + 1);
  }
  for (; i < n; ++i)
    if (i + 1 == n || src[i] != src[i + 1]) put(i + 1);
  std::memset(out, 0, static_cast<std::size_t>(dst + 2 * static_cast<std::ptrdiff_t>(n) - out));
  return static_cast<int>((out - dst) / 2);
}
