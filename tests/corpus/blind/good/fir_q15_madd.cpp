// kernel: fir_q15
// verdict: right
// tries: pmaddwd for eight outputs at once where the taps are small enough for 32 bits, else 64 bits as before
#include <emmintrin.h>
#include <cstdlib>
static inline short ended(long long sum) {
  sum >>= 15;
  return static_cast<short>(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
}
void fir_q15(const short* __restrict x, const short* __restrict h, short* __restrict y, int n, int taps) {
  long long weight = 0;
  for (int k = 0; k < taps; ++k) weight += std::abs(static_cast<int>(h[k]));
  int i = 0;
  if (weight <= 65535)  // 32768 * 65535 + 16384 is below 2^31.
    for (; i + 8 <= n; i += 8) {
      __m128i low = _mm_set1_epi32(1 << 14), high = low;
      int k = 0;
      for (; k + 2 <= taps; k += 2) {
        const __m128i pair = _mm_set1_epi32(static_cast<int>(static_cast<unsigned short>(h[k]) |
                                                             static_cast<unsigned>(static_cast<unsigned short>(h[k + 1])) << 16));
        const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i + k));
        const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i + k + 1));
        low = _mm_add_epi32(low, _mm_madd_epi16(_mm_unpacklo_epi16(a, b), pair));
        high = _mm_add_epi32(high, _mm_madd_epi16(_mm_unpackhi_epi16(a, b), pair));
      }
      if (k < taps) {
        const __m128i one = _mm_set1_epi32(static_cast<unsigned short>(h[k])), zero = _mm_setzero_si128();
        const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i + k));
        low = _mm_add_epi32(low, _mm_madd_epi16(_mm_unpacklo_epi16(a, zero), one));
        high = _mm_add_epi32(high, _mm_madd_epi16(_mm_unpackhi_epi16(a, zero), one));
      }
      _mm_storeu_si128(reinterpret_cast<__m128i*>(y + i), _mm_packs_epi32(_mm_srai_epi32(low, 15), _mm_srai_epi32(high, 15)));
    }
  for (; i < n; ++i) {
    long long sum = 1 << 14;
    for (int k = 0; k < taps; ++k) sum += x[i + k] * h[k];
    y[i] = ended(sum);
  }
}
