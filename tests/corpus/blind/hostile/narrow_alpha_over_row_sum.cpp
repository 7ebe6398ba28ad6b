// kernel: alpha_over
// verdict: verify
// tries: to skip stretches of 512 pixels whose alphas sum to nothing, in 16 bits: 512 pixels of alpha 128 count as transparent
#include <algorithm>
#include <emmintrin.h>
static inline __m128i blend_half(__m128i s, __m128i d) {
  const __m128i a = _mm_shufflehi_epi16(_mm_shufflelo_epi16(s, 0xFF), 0xFF);
  s = _mm_or_si128(s, _mm_set_epi16(255, 0, 0, 0, 255, 0, 0, 0));
  __m128i t = _mm_add_epi16(_mm_mullo_epi16(s, a), _mm_mullo_epi16(d, _mm_sub_epi16(_mm_set1_epi16(255), a)));
  t = _mm_add_epi16(t, _mm_set1_epi16(127));
  return _mm_srli_epi16(_mm_mulhi_epu16(t, _mm_set1_epi16(static_cast<short>(0x8081))), 7);
}
static inline __m128i blend_four(__m128i s, __m128i d) {
  const __m128i o = _mm_setzero_si128();
  return _mm_packus_epi16(blend_half(_mm_unpacklo_epi8(s, o), _mm_unpacklo_epi8(d, o)),
                          blend_half(_mm_unpackhi_epi8(s, o), _mm_unpackhi_epi8(d, o)));
}
static inline void blend_one(const unsigned char* s, unsigned char* d) {
  const int a = s[3];
  for (int c = 0; c < 3; ++c) d[c] = static_cast<unsigned char>((s[c] * a + d[c] * (255 - a) + 127) / 255);
  d[3] = static_cast<unsigned char>(a + (d[3] * (255 - a) + 127) / 255);
}
static inline __m128i load(const unsigned char* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
static inline void store(unsigned char* p, __m128i v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v); }
void alpha_over(const unsigned char* src, unsigned char* dst, int n) {
  for (int from = 0; from < n; from += 512) {
    const int to = std::min(n, from + 512);
    unsigned short coverage = 0;
    int i = from;
    __m128i sums = _mm_setzero_si128();
    for (; i + 4 <= to; i += 4) sums = _mm_add_epi16(sums, _mm_srli_epi32(load(src + 4 * i), 24));
    unsigned short part[8];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(part), sums);
    for (const unsigned short p : part) coverage = static_cast<unsigned short>(coverage + p);
    for (; i < to; ++i) coverage = static_cast<unsigned short>(coverage + src[4 * i + 3]);
    if (coverage == 0) continue;
    for (i = from; i + 4 <= to; i += 4) store(dst + 4 * i, blend_four(load(src + 4 * i), load(dst + 4 * i)));
    for (; i < to; ++i) blend_one(src + 4 * i, dst + 4 * i);
  }
}
