// kernel: find_all
// verdict: right
// tries: sixteen places at once by the pattern's first and last bytes in SSE2, what lies between by memcmp
#include <emmintrin.h>
#include <cstring>
int find_all(const unsigned char* __restrict text, const unsigned char* __restrict pattern, int* __restrict pos, int n, int m) {
  int count = 0;
  if (m > 0 && m <= n) {
    const int places = n - m + 1;
    const __m128i head = _mm_set1_epi8(static_cast<char>(pattern[0]));
    const __m128i tail = _mm_set1_epi8(static_cast<char>(pattern[m - 1]));
    const std::size_t inner = m > 2 ? static_cast<std::size_t>(m) - 2 : 0;
    int i = 0;
    for (; i + 16 <= places; i += 16) {
      const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
      const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i + m - 1));
      unsigned hits = static_cast<unsigned>(_mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(a, head), _mm_cmpeq_epi8(b, tail))));
      for (; hits; hits &= hits - 1) {
        const int at = i + __builtin_ctz(hits);
        if (inner == 0 || std::memcmp(text + at + 1, pattern + 1, inner) == 0) pos[count++] = at;
      }
    }
    for (; i < places; ++i)
      if (text[i] == pattern[0] && std::memcmp(text + i, pattern, static_cast<std::size_t>(m)) == 0) pos[count++] = i;
  }
  if (count < n) std::memset(pos + count, 255, static_cast<std::size_t>(n - count) * sizeof(int));
  return count;
}
