// kernel: spline_eval
// verdict: right
// tries: a grid of cells over the knots says where the search may begin; a point's cell never falls as the point rises
#include <vector>
void spline_eval(const double* __restrict knot, const double* __restrict coef, const double* __restrict x, double* __restrict y,
                 int n, int pieces) {
  if (pieces < 1 || n < 1) return;
  const int cells = 2 * pieces < 4096 ? 2 * pieces : 4096;
  const double low = knot[0], span = knot[pieces - 1] - low, by = span > 0 ? cells / span : 0;
  const auto cell = [=](double v) {
    const double z = (v - low) * by;
    return z >= cells ? cells - 1 : z > 0 ? static_cast<int>(z) : 0;  // 0 also if z is no number.
  };
  // begin[c]: how many of the knots behind the first lie in lower cells; these are all at or below a point of cell c.
  std::vector<int> begin(static_cast<std::size_t>(cells));
  for (int c = 0, p = 0; c < cells; ++c) {
    while (p + 1 < pieces && cell(knot[p + 1]) < c) ++p;
    begin[c] = p;
  }
  for (int i = 0; i < n; ++i) {
    const double v = x[i];
    int p = begin[cell(v)];
    while (p + 1 < pieces && knot[p + 1] <= v) ++p;
    const double t = v - knot[p];
    const double* c = coef + 4l * p;
    y[i] = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
  }
}
