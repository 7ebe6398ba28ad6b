// How many steps of z = z*z + c each point c of a grid stays in the circle of radius 2; at most `limit`.
#pragma hone kernel out(count[0:h][0:w]) \
    problem(w = 160, h = 96, limit = 150, left = -2.2, top = -1.2, step = 0.025) requires(limit <= 2000)
void escape_counts(int* count, int w, int h, int limit, double left, double top, double step) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const double cr = left + x * step, ci = top + y * step;
      double zr = 0, zi = 0;
      int k = 0;
      while (k < limit) {
        const double rr = zr * zr, ii = zi * zi;
        if (rr + ii > 4) break;
        zi = 2 * zr * zi + ci;
        zr = rr - ii + cr;
        ++k;
      }
      count[y * w + x] = k;
    }
}
