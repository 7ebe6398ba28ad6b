// kernel: kmeans_assign
// verdict: verify
// tries: four colours at once whose label is 0 until a centre is nearer: also where no distance is finite (a coordinate of 1e20), and the original says -1
#include <cmath>
#include <emmintrin.h>
void kmeans_assign(const float* p, const float* c, int* label, int n, int k) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const __m128 a = _mm_loadu_ps(p + 3 * i), b = _mm_loadu_ps(p + 3 * i + 4), e = _mm_loadu_ps(p + 3 * i + 8);
    // a = x0 y0 z0 x1, b = y1 z1 x2 y2, e = z2 x3 y3 z3
    const __m128 x = _mm_shuffle_ps(a, _mm_shuffle_ps(b, e, _MM_SHUFFLE(1, 1, 2, 2)), _MM_SHUFFLE(2, 0, 3, 0));
    const __m128 y = _mm_shuffle_ps(_mm_shuffle_ps(a, b, _MM_SHUFFLE(0, 0, 1, 1)),
                                    _mm_shuffle_ps(b, e, _MM_SHUFFLE(2, 2, 3, 3)), _MM_SHUFFLE(2, 0, 2, 0));
    const __m128 z = _mm_shuffle_ps(_mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 1, 2, 2)), e, _MM_SHUFFLE(3, 0, 2, 0));
    __m128 least = _mm_set1_ps(INFINITY);
    __m128i best = _mm_set1_epi32(k > 0 ? 0 : -1);
    for (int j = 0; j < k; ++j) {
      const __m128 dx = _mm_sub_ps(x, _mm_set1_ps(c[3 * j])), dy = _mm_sub_ps(y, _mm_set1_ps(c[3 * j + 1])),
                   dz = _mm_sub_ps(z, _mm_set1_ps(c[3 * j + 2]));
      const __m128 d = _mm_add_ps(_mm_add_ps(_mm_mul_ps(dx, dx), _mm_mul_ps(dy, dy)), _mm_mul_ps(dz, dz));
      const __m128i nearer = _mm_castps_si128(_mm_cmplt_ps(d, least));
      least = _mm_min_ps(d, least);
      best = _mm_or_si128(_mm_and_si128(nearer, _mm_set1_epi32(j)), _mm_andnot_si128(nearer, best));
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(label + i), best);
  }
  for (; i < n; ++i) {
    float least = INFINITY;
    int best = k > 0 ? 0 : -1;
    for (int j = 0; j < k; ++j) {
      const float dx = p[3 * i] - c[3 * j], dy = p[3 * i + 1] - c[3 * j + 1], dz = p[3 * i + 2] - c[3 * j + 2];
      const float d = dx * dx + dy * dy + dz * dz;
      if (d < least) least = d, best = j;
    }
    label[i] = best;
  }
}
