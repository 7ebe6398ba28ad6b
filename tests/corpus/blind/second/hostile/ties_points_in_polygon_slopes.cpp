// kernel: points_in_polygon
// verdict: verify
// tries: the slopes of the edges computed once, so that no point divides: they round differently, which points that lie on a slanted edge show
#include <cstddef>
#include <emmintrin.h>
#include <vector>
namespace {
struct Edge {
  double x, y, slope, upper;
};
}  // namespace
void points_in_polygon(const float* px, const float* py, const float* vx, const float* vy, unsigned char* inside, int n,
                       int m) {
  std::vector<Edge> edges(static_cast<std::size_t>(m > 0 ? m : 0));
  int count = 0;
  for (int a = 0, b = m - 1; a < m; b = a++) {
    if (vy[a] == vy[b]) continue;
    edges[count++] = {vx[a], vy[a], (static_cast<double>(vx[b]) - vx[a]) / (static_cast<double>(vy[b]) - vy[a]), vy[b]};
  }
  for (int i = 0; i < n; i += 2) {
    const int j = i + 1 < n ? i + 1 : i;
    const __m128d x = _mm_set_pd(px[j], px[i]), y = _mm_set_pd(py[j], py[i]);
    __m128d in = _mm_setzero_pd();
    for (int e = 0; e < count; ++e) {
      const __m128d ya = _mm_set1_pd(edges[e].y);
      const __m128d crosses = _mm_xor_pd(_mm_cmpgt_pd(ya, y), _mm_cmpgt_pd(_mm_set1_pd(edges[e].upper), y));
      const __m128d at = _mm_add_pd(_mm_set1_pd(edges[e].x), _mm_mul_pd(_mm_sub_pd(y, ya), _mm_set1_pd(edges[e].slope)));
      in = _mm_xor_pd(in, _mm_and_pd(crosses, _mm_cmplt_pd(x, at)));
    }
    const int bits = _mm_movemask_pd(in);
    inside[i] = bits & 1;
    if (j != i) inside[j] = static_cast<unsigned char>(bits >> 1);
  }
}
