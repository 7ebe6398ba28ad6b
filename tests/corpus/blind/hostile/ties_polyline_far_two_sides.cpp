// kernel: polyline_far
// verdict: verify
// tries: the farthest point of each side of the line, then the farther one: if both are as far it takes the left one, though the right one comes first
#include <emmintrin.h>
int polyline_far(const float* x, const float* y, double* square, int n) {
  square[0] = 0;
  if (n < 3) return -1;
  const double ex = static_cast<double>(x[n - 1]) - x[0], ey = static_cast<double>(y[n - 1]) - y[0];
  const double length = ex * ex + ey * ey, x0 = x[0], y0 = y[0];
  if (length > 0) {
    double high = 0, low = 0;
    int highest = -1, lowest = -1;
    int i = 1;
    const __m128d vx = _mm_set1_pd(x0), vy = _mm_set1_pd(y0), wx = _mm_set1_pd(ex), wy = _mm_set1_pd(ey);
    __m128d top = _mm_setzero_pd(), bottom = top;
    for (; i + 4 <= n - 1; i += 4) {
      const __m128 fx = _mm_loadu_ps(x + i), fy = _mm_loadu_ps(y + i);
      const __m128d a = _mm_sub_pd(_mm_mul_pd(_mm_sub_pd(_mm_cvtps_pd(fx), vx), wy),
                                   _mm_mul_pd(_mm_sub_pd(_mm_cvtps_pd(fy), vy), wx));
      const __m128d b = _mm_sub_pd(_mm_mul_pd(_mm_sub_pd(_mm_cvtps_pd(_mm_movehl_ps(fx, fx)), vx), wy),
                                   _mm_mul_pd(_mm_sub_pd(_mm_cvtps_pd(_mm_movehl_ps(fy, fy)), vy), wx));
      const __m128d out = _mm_or_pd(_mm_cmpgt_pd(_mm_max_pd(a, b), top), _mm_cmplt_pd(_mm_min_pd(a, b), bottom));
      if (_mm_movemask_pd(out) == 0) continue;
      double cross[4];
      _mm_storeu_pd(cross, a);
      _mm_storeu_pd(cross + 2, b);
      for (int t = 0; t < 4; ++t) {
        if (cross[t] > high) high = cross[t], highest = i + t;
        if (cross[t] < low) low = cross[t], lowest = i + t;
      }
      top = _mm_set1_pd(high), bottom = _mm_set1_pd(low);
    }
    for (; i < n - 1; ++i) {
      const double cross = (x[i] - x0) * ey - (y[i] - y0) * ex;
      if (cross > high) high = cross, highest = i;
      if (cross < low) low = cross, lowest = i;
    }
    if (highest < 0 && lowest < 0) return 1;
    const bool right = -low > high;
    square[0] = (right ? low * low : high * high) / length;
    return right ? lowest : highest;
  }
  int far = -1;
  double best = -1;
  for (int i = 1; i < n - 1; ++i) {
    const double px = x[i] - x0, py = y[i] - y0, d = px * px + py * py;
    if (d > best) best = d, far = i;
  }
  square[0] = best;
  return far;
}
