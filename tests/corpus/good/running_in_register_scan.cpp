// kernel: running
// verdict: right
// tries: a scan of four in a register
#include <emmintrin.h>
void running_sum(const unsigned* x, unsigned* y, int n) {
  __m128i carry = _mm_setzero_si128();
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    __m128i v = _mm_loadu_si128((const __m128i*)(x + i));
    v = _mm_add_epi32(v, _mm_slli_si128(v, 4));
    v = _mm_add_epi32(v, _mm_slli_si128(v, 8));
    v = _mm_add_epi32(v, carry);
    _mm_storeu_si128((__m128i*)(y + i), v);
    carry = _mm_shuffle_epi32(v, _MM_SHUFFLE(3, 3, 3, 3));
  }
  unsigned sum = i ? y[i - 1] : 0;
  for (; i < n; ++i) y[i] = sum += x[i];
}
