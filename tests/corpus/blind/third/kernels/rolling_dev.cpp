// Standard deviation of the last w returns at each time. A missing return is NaN: windows that hold it have
// no deviation (NaN), and those behind it have one again.
#include <cmath>

#pragma hone kernel in(x[0:n]) out(dev[0:n]) problem(n=20000, w=30) problem(n=500, w=12) \
    tolerance(rtol=1e-9, atol=1e-12)
void rolling_dev(const double* x, double* dev, int n, int w) {
  if (w < 1) return;
  for (int i = 0; i + w <= n; ++i) {
    double sum = 0;
    for (int j = 0; j < w; ++j) sum += x[i + j];
    const double mean = sum / w;
    double squares = 0;
    for (int j = 0; j < w; ++j) squares += (x[i + j] - mean) * (x[i + j] - mean);
    dev[i] = std::sqrt(squares / w);
  }
}
