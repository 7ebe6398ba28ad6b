// kernel: resize_bilinear
// verdict: right
// tries: pairs of pixels and weights through pmaddwd, eight a step, in rows stretched once; then down the columns in SSE2
#include <emmintrin.h>
#include <cstdint>
#include <cstring>
#include <vector>
static void down(const std::uint16_t* a, const std::uint16_t* b, unsigned char* to, int n, int wy) {
  // top * (256 - wy) + bottom * wy, from the low and high halves of 16-bit products.
  const __m128i wa = _mm_set1_epi16(static_cast<short>(256 - wy)), wb = _mm_set1_epi16(static_cast<short>(wy));
  const __m128i half = _mm_set1_epi32(32768);
  int x = 0;
  for (; x + 8 <= n; x += 8) {
    const __m128i p = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a + x));
    const __m128i q = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + x));
    const __m128i pl = _mm_mullo_epi16(p, wa), ph = _mm_mulhi_epu16(p, wa);
    const __m128i ql = _mm_mullo_epi16(q, wb), qh = _mm_mulhi_epu16(q, wb);
    __m128i low = _mm_add_epi32(_mm_unpacklo_epi16(pl, ph), _mm_unpacklo_epi16(ql, qh));
    __m128i high = _mm_add_epi32(_mm_unpackhi_epi16(pl, ph), _mm_unpackhi_epi16(ql, qh));
    low = _mm_srli_epi32(_mm_add_epi32(low, half), 16);
    high = _mm_srli_epi32(_mm_add_epi32(high, half), 16);
    const __m128i words = _mm_packs_epi32(low, high);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to + x), _mm_packus_epi16(words, words));
  }
  for (; x < n; ++x)
    to[x] = static_cast<unsigned char>((static_cast<unsigned>(a[x]) * static_cast<unsigned>(256 - wy) +
                                        static_cast<unsigned>(b[x]) * static_cast<unsigned>(wy) + 32768) >> 16);
}
void resize_bilinear(const unsigned char* src, unsigned char* dst, int sw, int sh, int dw, int dh) {
  if (sw < 1 || sh < 1 || dw < 1 || dh < 1) return;
  const long long stepx = dw > 1 ? (sw - 1LL) * 65536 / (dw - 1) : 0, stepy = dh > 1 ? (sh - 1LL) * 65536 / (dh - 1) : 0;
  const std::size_t width = static_cast<std::size_t>(dw);
  std::vector<std::int32_t> at(width), weights(width);
  for (int x = 0; x < dw; ++x) {
    const long long p = x * stepx;
    const int w = static_cast<int>(p >> 8 & 255);
    at[x] = static_cast<std::int32_t>(p >> 16);
    weights[x] = (256 - w) | w << 16;
  }
  // A source row with its last pixel once more, so that a pair can be read anywhere.
  std::vector<unsigned char> row(static_cast<std::size_t>(sw) + 1);
  std::vector<std::uint16_t> line[2] = {std::vector<std::uint16_t>(width), std::vector<std::uint16_t>(width)};
  int holds[2] = {-1, -1};  // Source row v lies in line[v & 1].
  const auto stretched = [&](int v) {
    std::uint16_t* to = line[v & 1].data();
    if (holds[v & 1] == v) return to;
    holds[v & 1] = v;
    std::memcpy(row.data(), src + static_cast<std::size_t>(v) * static_cast<std::size_t>(sw), static_cast<std::size_t>(sw));
    row[sw] = row[sw - 1];
    int x = 0;
    for (; x + 4 <= dw; x += 4) {
      std::uint16_t two[4];
      for (int l = 0; l < 4; ++l) std::memcpy(two + l, row.data() + at[x + l], 2);
      const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(two));
      const __m128i sums = _mm_madd_epi16(_mm_unpacklo_epi8(bytes, _mm_setzero_si128()),
                                          _mm_loadu_si128(reinterpret_cast<const __m128i*>(weights.data() + x)));
      // To 16 bits without saturation: sign-extend the low halves first.
      const __m128i signed16 = _mm_srai_epi32(_mm_slli_epi32(sums, 16), 16);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to + x), _mm_packs_epi32(signed16, signed16));
    }
    for (; x < dw; ++x)
      to[x] = static_cast<std::uint16_t>(row[at[x]] * (weights[x] & 0xffff) + row[at[x] + 1] * (weights[x] >> 16));
    return to;
  };
  for (int y = 0; y < dh; ++y) {
    const long long p = y * stepy;
    const int y0 = static_cast<int>(p >> 16), y1 = y0 + 1 < sh ? y0 + 1 : y0;
    const std::uint16_t *a = stretched(y0), *b = stretched(y1);
    down(a, b, dst + static_cast<std::size_t>(y) * width, dw, static_cast<int>(p >> 8 & 255));
  }
}
