// The point of a polyline that is farthest from the line through its ends (from the end, if they coincide): the step
// of Douglas and Peucker. The first of several; -1 if there is none between the ends.
#pragma hone kernel in(x[0:n], y[0:n]) out(square[0:1]) problem(n = 20000) \
    init(x: uniform(-1000, 1000), y: uniform(-1000, 1000))
int polyline_far(const float* x, const float* y, double* square, int n) {
  int far = -1;
  double best = -1;
  square[0] = 0;
  if (n < 3) return far;
  const double ex = static_cast<double>(x[n - 1]) - x[0], ey = static_cast<double>(y[n - 1]) - y[0];
  const double length = ex * ex + ey * ey;
  for (int i = 1; i < n - 1; ++i) {
    const double px = static_cast<double>(x[i]) - x[0], py = static_cast<double>(y[i]) - y[0];
    double d;
    if (length > 0) {
      const double cross = px * ey - py * ex;
      d = cross * cross / length;
    } else {
      d = px * px + py * py;
    }
    if (d > best) best = d, far = i;
  }
  square[0] = best;
  return far;
}
