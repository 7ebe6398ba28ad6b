// kernel: spline_eval
// verdict: right
// tries: a binary search without branches, four points side by side so that their loads overlap
void spline_eval(const double* __restrict knot, const double* __restrict coef, const double* __restrict x, double* __restrict y,
                 int n, int pieces) {
  if (pieces < 1) return;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    // The last piece that begins at or below each point lies in [p, p + length); the first counts as below.
    int p[4] = {0, 0, 0, 0};
    for (int length = pieces; length > 1;) {
      const int half = length / 2;
      for (int l = 0; l < 4; ++l) p[l] += knot[p[l] + half] <= x[i + l] ? half : 0;
      length -= half;
    }
    for (int l = 0; l < 4; ++l) {
      const double* c = coef + 4l * p[l];
      const double t = x[i + l] - knot[p[l]];
      y[i + l] = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    }
  }
  for (; i < n; ++i) {
    int p = 0;
    for (int length = pieces; length > 1;) {
      const int half = length / 2;
      p += knot[p + half] <= x[i] ? half : 0;
      length -= half;
    }
    const double* c = coef + 4l * p;
    const double t = x[i] - knot[p];
    y[i] = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
  }
}
