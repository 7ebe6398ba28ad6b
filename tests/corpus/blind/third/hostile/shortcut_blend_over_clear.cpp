// kernel: blend_over
// verdict: verify
// standard: c++20
// tries: four pixels at once, and skips four whose alphas are all 0 as clear; wrong where such pixels have a colour: light with alpha 0 is added by the original
#include <cstddef>
#include <cstdint>
#include <emmintrin.h>

void blend_over(Surface to, const Rgba* from, int pitch) {
  const __m128i zero = _mm_setzero_si128(), full = _mm_set1_epi16(255), one = _mm_set1_epi16(1);
  const __m128i alphas = _mm_set1_epi32(static_cast<int>(0xff000000u));
  const auto two = [&](__m128i s, __m128i d) {
    const __m128i a = _mm_shufflehi_epi16(_mm_shufflelo_epi16(s, 0xff), 0xff);
    const __m128i t = _mm_mullo_epi16(d, _mm_sub_epi16(full, a));
    return _mm_add_epi16(s, _mm_srli_epi16(_mm_add_epi16(_mm_add_epi16(t, one), _mm_srli_epi16(t, 8)), 8));
  };
  for (int y = 0; y < to.h; ++y) {
    Rgba* d = to.px + static_cast<ptrdiff_t>(y) * to.stride;
    const Rgba* s = from + static_cast<ptrdiff_t>(y) * pitch;
    int x = 0;
    for (; x + 4 <= to.w; x += 4) {
      const __m128i sv = _mm_loadu_si128(reinterpret_cast<const __m128i*>(s + x));
      const __m128i a = _mm_and_si128(sv, alphas);
      if (_mm_movemask_epi8(_mm_cmpeq_epi32(a, zero)) == 0xffff) continue;  // clear
      if (_mm_movemask_epi8(_mm_cmpeq_epi32(a, alphas)) == 0xffff) {        // opaque
        _mm_storeu_si128(reinterpret_cast<__m128i*>(d + x), sv);
        continue;
      }
      const __m128i dv = _mm_loadu_si128(reinterpret_cast<const __m128i*>(d + x));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(d + x),
                       _mm_packus_epi16(two(_mm_unpacklo_epi8(sv, zero), _mm_unpacklo_epi8(dv, zero)),
                                        two(_mm_unpackhi_epi8(sv, zero), _mm_unpackhi_epi8(dv, zero))));
    }
    for (; x < to.w; ++x) {
      const int a = s[x].a;
      d[x] = {over(s[x].r, d[x].r, a), over(s[x].g, d[x].g, a), over(s[x].b, d[x].b, a), over(s[x].a, d[x].a, a)};
    }
  }
}
