// kernel: points_inside
// verdict: wrong
// standard: c++20
// tries: the slope of each edge once instead of a division for each point and edge; eight points at a time
#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

void points_inside(std::span<const Point> points, std::span<const Point> ring, std::span<uint8_t> inside) {
  const size_t n = points.size(), m = ring.size();
  // A horizontal edge has no slope, but no point lies between its ends either.
  std::vector<double> slope(m);
  for (size_t i = 0; i < m; ++i) {
    const Point& a = ring[i];
    const Point& b = ring[i == 0 ? m - 1 : i - 1];
    slope[i] = (b.x - a.x) / (b.y - a.y);
  }
  constexpr size_t lanes = 8;
  for (size_t p = 0; p < n; p += lanes) {
    const size_t count = n - p < lanes ? n - p : lanes;
    double xs[lanes] = {}, ys[lanes] = {};
    for (size_t i = 0; i < count; ++i) {
      xs[i] = points[p + i].x;
      ys[i] = points[p + i].y;
    }
    __m256d x[2], y[2], in[2], above[2];
    for (int v = 0; v < 2; ++v) {
      x[v] = _mm256_loadu_pd(xs + 4 * v);
      y[v] = _mm256_loadu_pd(ys + 4 * v);
      in[v] = _mm256_setzero_pd();
      above[v] = m == 0 ? in[v] : _mm256_cmp_pd(_mm256_set1_pd(ring[m - 1].y), y[v], _CMP_GT_OQ);
    }
    for (size_t i = 0; i < m; ++i) {
      const __m256d ax = _mm256_set1_pd(ring[i].x), ay = _mm256_set1_pd(ring[i].y), s = _mm256_set1_pd(slope[i]);
      for (int v = 0; v < 2; ++v) {
        const __m256d now = _mm256_cmp_pd(ay, y[v], _CMP_GT_OQ);
        const __m256d crossing = _mm256_add_pd(_mm256_mul_pd(s, _mm256_sub_pd(y[v], ay)), ax);
        const __m256d left = _mm256_cmp_pd(x[v], crossing, _CMP_LT_OQ);
        in[v] = _mm256_xor_pd(in[v], _mm256_and_pd(_mm256_xor_pd(now, above[v]), left));
        above[v] = now;
      }
    }
    const unsigned bits = static_cast<unsigned>(_mm256_movemask_pd(in[0]) | _mm256_movemask_pd(in[1]) << 4);
    for (size_t i = 0; i < count; ++i) inside[p + i] = bits >> i & 1;
  }
}
