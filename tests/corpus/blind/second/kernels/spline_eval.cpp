// A cubic spline, four coefficients a piece, at many points in any order; the outer pieces go on beyond the ends.
#pragma hone kernel in(knot[0:pieces], coef[0:pieces][0:4], x[0:n]) out(y[0:n]) problem(n = 15000, pieces = 120) \
    problem(n = 20000, pieces = 9) requires(pieces > 0) init(knot: sorted(-3, 3), x: uniform(-3.2, 3.2)) \
    tolerance(rtol = 1e-10)
void spline_eval(const double* knot, const double* coef, const double* x, double* y, int n, int pieces) {
  if (pieces < 1) return;
  for (int i = 0; i < n; ++i) {
    int p = 0;
    while (p + 1 < pieces && knot[p + 1] <= x[i]) ++p;
    const double t = x[i] - knot[p];
    const double* c = coef + 4 * p;
    y[i] = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
  }
}
