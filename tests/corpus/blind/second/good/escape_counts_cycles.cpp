// kernel: escape_counts
// verdict: right
// tries: Brent's search for cycles: an orbit that comes back to where it was stays inside for good
void escape_counts(int* __restrict count, int w, int h, int limit, double left, double top, double step) {
  for (int y = 0; y < h; ++y) {
    const double ci = top + y * step;
    for (int x = 0; x < w; ++x) {
      const double cr = left + x * step;
      double zr = 0, zi = 0, oldr = 0, oldi = 0;
      int k = 0, renew = 8;
      while (k < limit) {
        const double rr = zr * zr, ii = zi * zi;
        if (rr + ii > 4) break;
        zi = 2 * zr * zi + ci;
        zr = rr - ii + cr;
        ++k;
        // Everything from the old point on was inside, so if this is it again, all that follows is inside. (+0 and -0
        // are equal here, and lead to points that differ in signs of zeros only.)
        if (zr == oldr && zi == oldi) {
          k = limit;
        } else if (k == renew) {
          oldr = zr;
          oldi = zi;
          renew *= 2;
        }
      }
      count[static_cast<long>(y) * w + x] = k;
    }
  }
}
