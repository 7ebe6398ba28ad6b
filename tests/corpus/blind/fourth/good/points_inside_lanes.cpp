// kernel: points_inside
// verdict: right
// standard: c++20
// tries: eight points at a time against each edge, the same arithmetic without branches; which side an end is on serves both of its edges
#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <span>

void points_inside(std::span<const Point> points, std::span<const Point> ring, std::span<uint8_t> inside) {
  const size_t n = points.size(), m = ring.size();
  constexpr size_t lanes = 8;
  for (size_t p = 0; p < n; p += lanes) {
    const size_t count = n - p < lanes ? n - p : lanes;
    double xs[lanes] = {}, ys[lanes] = {};
    for (size_t i = 0; i < count; ++i) {
      xs[i] = points[p + i].x;
      ys[i] = points[p + i].y;
    }
    const __m256d x0 = _mm256_loadu_pd(xs), x1 = _mm256_loadu_pd(xs + 4);
    const __m256d y0 = _mm256_loadu_pd(ys), y1 = _mm256_loadu_pd(ys + 4);
    __m256d in0 = _mm256_setzero_pd(), in1 = in0;
    if (m > 0) {
      __m256d bx = _mm256_set1_pd(ring[m - 1].x), by = _mm256_set1_pd(ring[m - 1].y);
      __m256d above0 = _mm256_cmp_pd(by, y0, _CMP_GT_OQ), above1 = _mm256_cmp_pd(by, y1, _CMP_GT_OQ);
      for (size_t i = 0; i < m; ++i) {
        const __m256d ax = _mm256_set1_pd(ring[i].x), ay = _mm256_set1_pd(ring[i].y);
        const __m256d a0 = _mm256_cmp_pd(ay, y0, _CMP_GT_OQ), a1 = _mm256_cmp_pd(ay, y1, _CMP_GT_OQ);
        const __m256d meets0 = _mm256_xor_pd(a0, above0), meets1 = _mm256_xor_pd(a1, above1);
        const __m256d width = _mm256_sub_pd(bx, ax), height = _mm256_sub_pd(by, ay);
        if (_mm256_movemask_pd(meets0)) {
          const __m256d t = _mm256_div_pd(_mm256_mul_pd(width, _mm256_sub_pd(y0, ay)), height);
          const __m256d left = _mm256_cmp_pd(x0, _mm256_add_pd(t, ax), _CMP_LT_OQ);
          in0 = _mm256_xor_pd(in0, _mm256_and_pd(meets0, left));
        }
        if (_mm256_movemask_pd(meets1)) {
          const __m256d t = _mm256_div_pd(_mm256_mul_pd(width, _mm256_sub_pd(y1, ay)), height);
          const __m256d left = _mm256_cmp_pd(x1, _mm256_add_pd(t, ax), _CMP_LT_OQ);
          in1 = _mm256_xor_pd(in1, _mm256_and_pd(meets1, left));
        }
        bx = ax;
        by = ay;
        above0 = a0;
        above1 = a1;
      }
    }
    const unsigned bits = static_cast<unsigned>(_mm256_movemask_pd(in0) | _mm256_movemask_pd(in1) << 4);
    for (size_t i = 0; i < count; ++i) inside[p + i] = bits >> i & 1;
  }
}
