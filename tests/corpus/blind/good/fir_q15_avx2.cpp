// kernel: fir_q15
// verdict: right
// tries: sixteen outputs at once with AVX2 where the processor has it and the taps leave room in 32 bits
#include <immintrin.h>
#include <cstdlib>
__attribute__((target("avx2"))) static int wide(const short* __restrict x, const short* __restrict h, short* __restrict y,
                                                int n, int taps) {
  int i = 0;
  for (; i + 16 <= n; i += 16) {
    __m256i low = _mm256_set1_epi32(1 << 14), high = low;
    for (int k = 0; k < taps; k += 2) {
      const int second = k + 1 < taps ? h[k + 1] : 0;  // x has n + taps elements, so x[i + 15 + taps] is there.
      const __m256i pair = _mm256_set1_epi32(static_cast<int>((h[k] & 0xffffu) | static_cast<unsigned>(second) << 16));
      const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + i + k));
      const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + i + k + 1));
      low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), pair));
      high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), pair));
    }
    const __m256i both = _mm256_packs_epi32(_mm256_srai_epi32(low, 15), _mm256_srai_epi32(high, 15));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(y + i), both);
  }
  return i;
}
void fir_q15(const short* x, const short* h, short* y, int n, int taps) {
  long long weight = 0;
  for (int k = 0; k < taps; ++k) weight += std::abs(static_cast<int>(h[k]));
  int i = weight <= 65535 && __builtin_cpu_supports("avx2") ? wide(x, h, y, n, taps) : 0;
  for (; i < n; ++i) {
    long long sum = 1 << 14;
    for (int k = 0; k < taps; ++k) sum += x[i + k] * h[k];
    sum >>= 15;
    y[i] = static_cast<short>(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
  }
}
