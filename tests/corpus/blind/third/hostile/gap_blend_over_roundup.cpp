// kernel: blend_over
// verdict: verify
// standard: c++20
// tries: four pixels at once; where both rows are long enough it rounds the width up to four (but in the last row); wrong for widths not divisible by four with stride and pitch above the width: up to three pixels of the gap behind each row are blended
#include <cstddef>
#include <cstdint>
#include <emmintrin.h>

static inline __m128i blend_two(__m128i s, __m128i d) {
  __m128i a = _mm_shufflehi_epi16(_mm_shufflelo_epi16(s, 0xff), 0xff);
  const __m128i t = _mm_mullo_epi16(d, _mm_sub_epi16(_mm_set1_epi16(255), a));
  const __m128i q = _mm_srli_epi16(_mm_add_epi16(_mm_add_epi16(t, _mm_set1_epi16(1)), _mm_srli_epi16(t, 8)), 8);
  return _mm_add_epi16(s, q);
}

void blend_over(Surface to, const Rgba* from, int pitch) {
  const __m128i zero = _mm_setzero_si128();
  const int rounded = (to.w + 3) & ~3;
  const bool roomy = rounded <= to.stride && rounded <= pitch;
  for (int y = 0; y < to.h; ++y) {
    Rgba* d = to.px + static_cast<ptrdiff_t>(y) * to.stride;
    const Rgba* s = from + static_cast<ptrdiff_t>(y) * pitch;
    const int wide = roomy && y + 1 < to.h ? rounded : to.w & ~3;
    int x = 0;
    for (; x < wide; x += 4) {
      const __m128i sv = _mm_loadu_si128(reinterpret_cast<const __m128i*>(s + x));
      const __m128i dv = _mm_loadu_si128(reinterpret_cast<const __m128i*>(d + x));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(d + x),
                       _mm_packus_epi16(blend_two(_mm_unpacklo_epi8(sv, zero), _mm_unpacklo_epi8(dv, zero)),
                                        blend_two(_mm_unpackhi_epi8(sv, zero), _mm_unpackhi_epi8(dv, zero))));
    }
    for (; x < to.w; ++x) {
      const int a = s[x].a;
      d[x] = {over(s[x].r, d[x].r, a), over(s[x].g, d[x].g, a), over(s[x].b, d[x].b, a), over(s[x].a, d[x].a, a)};
    }
  }
}
