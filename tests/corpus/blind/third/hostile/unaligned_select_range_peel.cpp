// kernel: select_range
// verdict: verify
// standard: c++20
// tries: peels rows until values is aligned to 16 bytes, then takes eight rows and one byte of the bit map at a time; after peeling, row i no longer begins a byte of the map: wrong where there are NULLs and values is aligned to 4 bytes only
#include <cstdint>
#include <emmintrin.h>

int select_range(const Column& c, int32_t lo, int32_t hi, uint32_t* rows) {
  const int32_t* v = c.values;
  const uint8_t* valid = c.valid;
  const int n = c.n;
  int k = 0, i = 0;
  const auto one = [&] {
    if ((!valid || (valid[i >> 3] >> (i & 7) & 1)) && v[i] >= lo && v[i] <= hi) rows[k++] = static_cast<uint32_t>(i);
  };
  for (; i < n && (reinterpret_cast<uintptr_t>(v + i) & 15); ++i) one();
  const __m128i low = _mm_set1_epi32(lo), high = _mm_set1_epi32(hi);
  for (; i + 8 <= n; i += 8) {
    const __m128i a = _mm_load_si128(reinterpret_cast<const __m128i*>(v + i));
    const __m128i b = _mm_load_si128(reinterpret_cast<const __m128i*>(v + i + 4));
    const __m128i out_a = _mm_or_si128(_mm_cmpgt_epi32(low, a), _mm_cmpgt_epi32(a, high));
    const __m128i out_b = _mm_or_si128(_mm_cmpgt_epi32(low, b), _mm_cmpgt_epi32(b, high));
    unsigned m = 255u ^ (_mm_movemask_ps(_mm_castsi128_ps(out_a)) | _mm_movemask_ps(_mm_castsi128_ps(out_b)) << 4);
    if (valid) m &= valid[i >> 3];
    while (m) {
      rows[k++] = static_cast<uint32_t>(i + __builtin_ctz(m));
      m &= m - 1;
    }
  }
  for (; i < n; ++i) one();
  return k;
}
