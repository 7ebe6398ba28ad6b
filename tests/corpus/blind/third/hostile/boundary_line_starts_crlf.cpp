// kernel: line_starts
// verdict: verify
// standard: c++20
// tries: compares eight characters at once and drops each "\r" whose right neighbour among the eight is "\n"; wrong where "\r" is the last of the eight and "\n" the first of the next: two line ends instead of one
#include <cstdint>
#include <emmintrin.h>

int line_starts(const uint16_t* text, int n, int* starts) {
  const __m128i lf = _mm_set1_epi16('\n'), cr = _mm_set1_epi16('\r');
  int k = 0, i = 0;
  starts[k++] = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
    const __m128i is_lf = _mm_cmpeq_epi16(v, lf), is_cr = _mm_cmpeq_epi16(v, cr);
    if (!_mm_movemask_epi8(_mm_or_si128(is_lf, is_cr))) continue;
    const __m128i ends = _mm_or_si128(is_lf, _mm_andnot_si128(_mm_srli_si128(is_lf, 2), is_cr));
    unsigned m = _mm_movemask_epi8(_mm_packs_epi16(ends, _mm_setzero_si128()));
    while (m) {
      starts[k++] = i + __builtin_ctz(m) + 1;
      m &= m - 1;
    }
  }
  for (; i < n; ++i)
    if (text[i] == '\n' || (text[i] == '\r' && !(i + 1 < n && text[i + 1] == '\n'))) starts[k++] = i + 1;
  return k;
}
