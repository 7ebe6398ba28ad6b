// kernel: select_range
// verdict: verify
// standard: c++20
// tries: SSE2 knows only > and <, so it compares with lo-1 and hi+1; wrong for lo = INT_MIN or hi = INT_MAX, where these wrap and nothing is selected
#include <cstdint>
#include <cstring>
#include <emmintrin.h>

int select_range(const Column& c, int32_t lo, int32_t hi, uint32_t* rows) {
  const int32_t* v = c.values;
  const uint8_t* valid = c.valid;
  const int n = c.n;
  const __m128i below = _mm_set1_epi32(static_cast<int32_t>(static_cast<uint32_t>(lo) - 1u));
  const __m128i above = _mm_set1_epi32(static_cast<int32_t>(static_cast<uint32_t>(hi) + 1u));
  int k = 0, i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(v + i));
    const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(v + i + 4));
    const __m128i in_a = _mm_and_si128(_mm_cmpgt_epi32(a, below), _mm_cmplt_epi32(a, above));
    const __m128i in_b = _mm_and_si128(_mm_cmpgt_epi32(b, below), _mm_cmplt_epi32(b, above));
    unsigned m = _mm_movemask_ps(_mm_castsi128_ps(in_a)) | _mm_movemask_ps(_mm_castsi128_ps(in_b)) << 4;
    if (valid) m &= valid[i >> 3];
    while (m) {
      rows[k++] = static_cast<uint32_t>(i + __builtin_ctz(m));
      m &= m - 1;
    }
  }
  for (; i < n; ++i)
    if ((!valid || (valid[i >> 3] >> (i & 7) & 1)) && v[i] >= lo && v[i] <= hi) rows[k++] = static_cast<uint32_t>(i);
  return k;
}
