// kernel: points_inside
// verdict: wrong
// standard: c++20
// tries: keeps the ring's edges in separate arrays as long as the same ring is asked for; eight points at a time
#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace {
struct Edges {
  const Point* ring = nullptr;
  std::vector<Point> ends;  // first and last corner
  std::vector<double> ax, ay, width, height;

  bool holds(std::span<const Point> r) const {
    return r.data() == ring && r.size() == ax.size() && ends[0].x == r.front().x && ends[0].y == r.front().y &&
           ends[1].x == r.back().x && ends[1].y == r.back().y;
  }
  void prepare(std::span<const Point> r) {
    ring = r.data();
    ends = {r.front(), r.back()};
    ax.clear(), ay.clear(), width.clear(), height.clear();
    for (size_t i = 0; i < r.size(); ++i) {
      const Point& a = r[i];
      const Point& b = r[i == 0 ? r.size() - 1 : i - 1];
      ax.push_back(a.x), ay.push_back(a.y), width.push_back(b.x - a.x), height.push_back(b.y - a.y);
    }
  }
};
}  // namespace

void points_inside(std::span<const Point> points, std::span<const Point> ring, std::span<uint8_t> inside) {
  const size_t n = points.size(), m = ring.size();
  if (m == 0) {
    for (size_t p = 0; p < n; ++p) inside[p] = 0;
    return;
  }
  thread_local Edges edges;
  if (!edges.holds(ring)) edges.prepare(ring);
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
      above[v] = _mm256_cmp_pd(_mm256_set1_pd(edges.ay[m - 1]), y[v], _CMP_GT_OQ);
    }
    for (size_t i = 0; i < m; ++i) {
      const __m256d ax = _mm256_set1_pd(edges.ax[i]), ay = _mm256_set1_pd(edges.ay[i]);
      const __m256d width = _mm256_set1_pd(edges.width[i]), height = _mm256_set1_pd(edges.height[i]);
      for (int v = 0; v < 2; ++v) {
        const __m256d now = _mm256_cmp_pd(ay, y[v], _CMP_GT_OQ);
        const __m256d t = _mm256_div_pd(_mm256_mul_pd(width, _mm256_sub_pd(y[v], ay)), height);
        const __m256d left = _mm256_cmp_pd(x[v], _mm256_add_pd(t, ax), _CMP_LT_OQ);
        in[v] = _mm256_xor_pd(in[v], _mm256_and_pd(_mm256_xor_pd(now, above[v]), left));
        above[v] = now;
      }
    }
    const unsigned bits = static_cast<unsigned>(_mm256_movemask_pd(in[0]) | _mm256_movemask_pd(in[1]) << 4);
    for (size_t i = 0; i < count; ++i) inside[p + i] = bits >> i & 1;
  }
}
