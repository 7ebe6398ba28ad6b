// kernel: energy
// verdict: verify
// tries: pairs of squares in 32 bits: two neighbours of -32768 make a negative sum
#include <emmintrin.h>
long long energy(const short* x, int n) {
  __m128i sum = _mm_setzero_si128();
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i));
    const __m128i pairs = _mm_madd_epi16(v, v), sign = _mm_srai_epi32(pairs, 31);
    sum = _mm_add_epi64(sum, _mm_unpacklo_epi32(pairs, sign));
    sum = _mm_add_epi64(sum, _mm_unpackhi_epi32(pairs, sign));
  }
  long long parts[2];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(parts), sum);
  long long total = parts[0] + parts[1];
  for (; i < n; ++i) total += x[i] * x[i];
  return total;
}
