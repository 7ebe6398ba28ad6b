// kernel: knapsack
// verdict: verify
// tries: four totals at once, and an item that is the same as the one before it is left out, as may be done where items can be taken often: here both may be taken
#include <emmintrin.h>
void knapsack(const unsigned short* weight, const unsigned short* value, int* best, int n, int limit) {
  for (int c = 0; c <= limit; ++c) best[c] = 0;
  for (int i = 0; i < n; ++i) {
    const int w = weight[i], v = value[i];
    if (v == 0 || (i > 0 && w == weight[i - 1] && v == value[i - 1])) continue;
    const __m128i more = _mm_set1_epi32(v);
    int c = limit - 3;
    for (; c >= w; c -= 4) {
      const __m128i with = _mm_add_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(best + c - w)), more);
      __m128i* at = reinterpret_cast<__m128i*>(best + c);
      const __m128i without = _mm_loadu_si128(at), better = _mm_cmpgt_epi32(with, without);
      _mm_storeu_si128(at, _mm_or_si128(_mm_and_si128(better, with), _mm_andnot_si128(better, without)));
    }
    for (c += 3; c >= w; --c)
      if (best[c - w] + v > best[c]) best[c] = best[c - w] + v;
  }
}
