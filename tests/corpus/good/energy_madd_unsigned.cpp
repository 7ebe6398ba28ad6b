// kernel: energy
// verdict: right
// tries: pairs of squares in 32 bits without a sign, which twice 2 to the 30th fits into
#include <emmintrin.h>
long long energy(const short* x, int n) {
  __m128i sum = _mm_setzero_si128();
  const __m128i zero = _mm_setzero_si128();
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i)), pairs = _mm_madd_epi16(v, v);
    sum = _mm_add_epi64(sum, _mm_add_epi64(_mm_unpacklo_epi32(pairs, zero), _mm_unpackhi_epi32(pairs, zero)));
  }
  long long parts[2];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(parts), sum);
  long long total = parts[0] + parts[1];
  for (; i < n; ++i) total += x[i] * x[i];
  return total;
}
