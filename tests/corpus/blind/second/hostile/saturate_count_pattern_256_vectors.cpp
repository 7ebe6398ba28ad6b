// kernel: count_pattern
// verdict: verify
// tries: 16 places at once, counted in bytes that are added up after 256 vectors, one too many: a lane in which all of them match has 0
#include <emmintrin.h>
int count_pattern(const unsigned char* text, const unsigned char* pattern, int n, int m) {
  if (m <= 0) return m == 0 && n >= 0 ? n + 1 : 0;
  int count = 0, i = 0;
  while (i + 15 + m <= n) {
    __m128i lanes = _mm_setzero_si128();
    for (int v = 0; v < 256 && i + 15 + m <= n; ++v, i += 16) {
      __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i)),
                                    _mm_set1_epi8(static_cast<char>(pattern[0])));
      for (int k = 1; k < m && _mm_movemask_epi8(same) != 0; ++k)
        same = _mm_and_si128(same, _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i + k)),
                                                  _mm_set1_epi8(static_cast<char>(pattern[k]))));
      lanes = _mm_sub_epi8(lanes, same);
    }
    const __m128i sums = _mm_sad_epu8(lanes, _mm_setzero_si128());
    count += _mm_cvtsi128_si32(sums) + _mm_cvtsi128_si32(_mm_srli_si128(sums, 8));
  }
  for (; i + m <= n; ++i) {
    int k = 0;
    while (k < m && text[i + k] == pattern[k]) ++k;
    count += k == m;
  }
  return count;
}
