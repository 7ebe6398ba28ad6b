// kernel: polyline_far
// verdict: verify
// tries: to find the place by a*x + b*y + c in float, and its distance in double: a small shape far from the origin cancels
#include <cmath>
#include <emmintrin.h>
int polyline_far(const float* x, const float* y, double* square, int n) {
  square[0] = 0;
  if (n < 3) return -1;
  const double ex = static_cast<double>(x[n - 1]) - x[0], ey = static_cast<double>(y[n - 1]) - y[0];
  const double length = ex * ex + ey * ey;
  int far = 1;
  if (length > 0) {
    const float a = static_cast<float>(ey), b = static_cast<float>(-ex), c = static_cast<float>(y[0] * ex - x[0] * ey);
    const __m128 va = _mm_set1_ps(a), vb = _mm_set1_ps(b), vc = _mm_set1_ps(c);
    const __m128 sign = _mm_set1_ps(-0.0f);
    float best = -1;
    int i = 1;
    for (; i + 4 <= n - 1; i += 4) {
      const __m128 d = _mm_andnot_ps(
          sign, _mm_add_ps(_mm_add_ps(_mm_mul_ps(va, _mm_loadu_ps(x + i)), _mm_mul_ps(vb, _mm_loadu_ps(y + i))), vc));
      if (_mm_movemask_ps(_mm_cmpgt_ps(d, _mm_set1_ps(best))) == 0) continue;
      float v[4];
      _mm_storeu_ps(v, d);
      for (int t = 0; t < 4; ++t)
        if (v[t] > best) best = v[t], far = i + t;
    }
    for (; i < n - 1; ++i) {
      const float d = std::fabs(a * x[i] + b * y[i] + c);
      if (d > best) best = d, far = i;
    }
    const double cross = (static_cast<double>(x[far]) - x[0]) * ey - (static_cast<double>(y[far]) - y[0]) * ex;
    square[0] = cross * cross / length;
  } else {
    double best = -1;
    for (int i = 1; i < n - 1; ++i) {
      const double px = static_cast<double>(x[i]) - x[0], py = static_cast<double>(y[i]) - y[0], d = px * px + py * py;
      if (d > best) best = d, far = i;
    }
    square[0] = best;
  }
  return far;
}
