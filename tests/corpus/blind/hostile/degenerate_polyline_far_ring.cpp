// kernel: polyline_far
// verdict: verify
// tries: to compare cross products and to divide once at the end: of a closed ring, whose ends coincide, all of them are zero
#include <cmath>
int polyline_far(const float* x, const float* y, double* square, int n) {
  int far = -1;
  double best = -1;
  square[0] = 0;
  if (n < 3) return far;
  const double ex = static_cast<double>(x[n - 1]) - x[0], ey = static_cast<double>(y[n - 1]) - y[0];
  const double length = ex * ex + ey * ey, x0 = x[0], y0 = y[0];
  for (int i = 1; i < n - 1; ++i) {
    const double cross = std::fabs((x[i] - x0) * ey - (y[i] - y0) * ex);
    if (cross > best) best = cross, far = i;
  }
  square[0] = length > 0 ? best * best / length : 0;
  return far;
}
