// kernel: ring_centroid
// verdict: verify
// standard: c++20
// tries: two edges in the lanes of a register, and sums that hang on the order are added again in order; as they are then rarely exactly 0, a ring of less than 1e-12 counts as one without area: wrong for tiny rings (coordinates about 1e-7), whose centre becomes their first point
#include <cmath>
#include <emmintrin.h>

void ring_centroid(Ring& r) {
  const int n = r.n;
  const Point* p = r.points;
  if (n < 1) {
    r.area = r.centre.x = r.centre.y = 0;
    return;
  }
  const double ox = p[0].x, oy = p[0].y;
  const __m128d ox2 = _mm_set1_pd(ox), oy2 = _mm_set1_pd(oy);
  __m128d t = _mm_setzero_pd(), mx2 = t, my2 = t;
  __m128d ax = _mm_sub_pd(_mm_set1_pd(p[0].x), ox2), ay = _mm_sub_pd(_mm_set1_pd(p[0].y), oy2);
  int i = 0;
  for (; i + 2 < n; i += 2) {  // the edges i to i+1 and i+1 to i+2
    const __m128d b = _mm_loadu_pd(&p[i + 1].x), c = _mm_loadu_pd(&p[i + 2].x);
    const __m128d qx = _mm_sub_pd(_mm_unpacklo_pd(b, c), ox2), qy = _mm_sub_pd(_mm_unpackhi_pd(b, c), oy2);
    const __m128d px = _mm_shuffle_pd(ax, qx, 1), py = _mm_shuffle_pd(ay, qy, 1);
    const __m128d cross = _mm_sub_pd(_mm_mul_pd(px, qy), _mm_mul_pd(qx, py));
    t = _mm_add_pd(t, cross);
    mx2 = _mm_add_pd(mx2, _mm_mul_pd(_mm_add_pd(px, qx), cross));
    my2 = _mm_add_pd(my2, _mm_mul_pd(_mm_add_pd(py, qy), cross));
    ax = qx;
    ay = qy;
  }
  double twice = _mm_cvtsd_f64(t) + _mm_cvtsd_f64(_mm_unpackhi_pd(t, t));
  double mx = _mm_cvtsd_f64(mx2) + _mm_cvtsd_f64(_mm_unpackhi_pd(mx2, mx2));
  double my = _mm_cvtsd_f64(my2) + _mm_cvtsd_f64(_mm_unpackhi_pd(my2, my2));
  const auto edge = [&](const Point& a, const Point& b) {
    const double px = a.x - ox, py = a.y - oy, qx = b.x - ox, qy = b.y - oy;
    const double cross = px * qy - qx * py;
    twice += cross;
    mx += (px + qx) * cross;
    my += (py + qy) * cross;
  };
  for (; i < n; ++i) edge(p[i], p[i + 1 < n ? i + 1 : 0]);
  // Where sums are small beside the ring, or not finite, the order of adding shows: keep to the original's.
  double size = 0;
  for (int j = 0; j < n; j += 1 + n / 16) size += (p[j].x - ox) * (p[j].x - ox) + (p[j].y - oy) * (p[j].y - oy);
  const double mag = twice < 0 ? -twice : twice;
  if (!(mag > size * 1e-6) || !(mx - mx == 0 && my - my == 0 && mag - mag == 0)) {
    twice = mx = my = 0;
    for (int j = 0; j < n; ++j) edge(p[j], p[j + 1 < n ? j + 1 : 0]);
  }
  r.area = twice / 2;
  if (std::fabs(twice) < 1e-12) {
    r.centre = p[0];
  } else {
    r.centre.x = ox + mx / (3 * twice);
    r.centre.y = oy + my / (3 * twice);
  }
}
