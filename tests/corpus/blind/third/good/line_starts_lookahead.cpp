// kernel: line_starts
// verdict: right
// standard: c++20
// tries: sixteen characters at once; carriage returns are looked at one by one together with what follows them, across blocks too
#include <cstdint>
#include <emmintrin.h>

int line_starts(const uint16_t* text, int n, int* starts) {
  const __m128i lf = _mm_set1_epi16('\n'), cr = _mm_set1_epi16('\r');
  int* to = starts;
  *to++ = 0;
  int i = 0;
  for (; i <= n - 16; i += 16) {
    const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
    const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i + 8));
    const __m128i found = _mm_packs_epi16(_mm_or_si128(_mm_cmpeq_epi16(a, lf), _mm_cmpeq_epi16(a, cr)),
                                          _mm_or_si128(_mm_cmpeq_epi16(b, lf), _mm_cmpeq_epi16(b, cr)));
    unsigned m = static_cast<unsigned>(_mm_movemask_epi8(found));
    for (; m; m &= m - 1) {
      const int at = i + __builtin_ctz(m);
      if (text[at] == '\r' && at + 1 < n && text[at + 1] == '\n') continue;
      *to++ = at + 1;
    }
  }
  for (; i < n; ++i)
    if (text[i] == '\n' || (text[i] == '\r' && !(i + 1 < n && text[i + 1] == '\n'))) *to++ = i + 1;
  return static_cast<int>(to - starts);
}
