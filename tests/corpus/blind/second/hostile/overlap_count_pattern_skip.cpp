// kernel: count_pattern
// verdict: verify
// tries: the pattern's first and last byte looked for in 16 places at once, and on behind each place found: places that overlap it are not counted
#include <cstring>
#include <emmintrin.h>
int count_pattern(const unsigned char* text, const unsigned char* pattern, int n, int m) {
  if (m <= 0) return m == 0 && n >= 0 ? n + 1 : 0;
  int count = 0, i = 0, next = 0;
  const __m128i first = _mm_set1_epi8(static_cast<char>(pattern[0]));
  const __m128i last = _mm_set1_epi8(static_cast<char>(pattern[m - 1]));
  for (; i + 15 + m <= n; i += 16) {
    const __m128i head = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
    const __m128i tail = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i + m - 1));
    unsigned bits = static_cast<unsigned>(
        _mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(head, first), _mm_cmpeq_epi8(tail, last))));
    for (; bits != 0; bits &= bits - 1) {
      const int at = i + __builtin_ctz(bits);
      if (at < next) continue;
      int k = 1;
      while (k < m - 1 && text[at + k] == pattern[k]) ++k;
      if (k >= m - 1) ++count, next = at + m;
    }
  }
  if (i < next) i = next;
  while (i + m <= n)
    if (std::memcmp(text + i, pattern, static_cast<std::size_t>(m)) == 0) ++count, i += m;
    else ++i;
  return count;
}
