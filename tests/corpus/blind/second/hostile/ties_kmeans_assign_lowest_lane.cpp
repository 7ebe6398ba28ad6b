// kernel: kmeans_assign
// verdict: verify
// tries: four centres at once; of lanes that are equally near the lowest lane wins, not the lowest centre: centres 2 and 5 that are the same
#include <cmath>
#include <cstddef>
#include <emmintrin.h>
#include <vector>
void kmeans_assign(const float* p, const float* c, int* label, int n, int k) {
  const int groups = k > 0 ? (k + 3) / 4 : 0;
  std::vector<float> soa(static_cast<std::size_t>(12 * groups), INFINITY);
  for (int j = 0; j < k; ++j)
    for (int t = 0; t < 3; ++t) soa[12 * (j / 4) + 4 * t + j % 4] = c[3 * j + t];
  for (int i = 0; i < n; ++i) {
    const __m128 x = _mm_set1_ps(p[3 * i]), y = _mm_set1_ps(p[3 * i + 1]), z = _mm_set1_ps(p[3 * i + 2]);
    __m128 least = _mm_set1_ps(INFINITY);
    __m128i best = _mm_set1_epi32(-1), index = _mm_set_epi32(3, 2, 1, 0);
    for (int g = 0; g < groups; ++g) {
      const float* at = soa.data() + 12 * g;
      const __m128 dx = _mm_sub_ps(x, _mm_loadu_ps(at)), dy = _mm_sub_ps(y, _mm_loadu_ps(at + 4)),
                   dz = _mm_sub_ps(z, _mm_loadu_ps(at + 8));
      const __m128 d = _mm_add_ps(_mm_add_ps(_mm_mul_ps(dx, dx), _mm_mul_ps(dy, dy)), _mm_mul_ps(dz, dz));
      const __m128i nearer = _mm_castps_si128(_mm_cmplt_ps(d, least));
      least = _mm_min_ps(d, least);
      best = _mm_or_si128(_mm_and_si128(nearer, index), _mm_andnot_si128(nearer, best));
      index = _mm_add_epi32(index, _mm_set1_epi32(4));
    }
    __m128 all = _mm_min_ps(least, _mm_shuffle_ps(least, least, _MM_SHUFFLE(1, 0, 3, 2)));
    all = _mm_min_ps(all, _mm_shuffle_ps(all, all, _MM_SHUFFLE(2, 3, 0, 1)));
    const int lane = __builtin_ctz(static_cast<unsigned>(_mm_movemask_ps(_mm_cmpeq_ps(all, least))));
    int j[4];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(j), best);
    label[i] = j[lane];
  }
}
