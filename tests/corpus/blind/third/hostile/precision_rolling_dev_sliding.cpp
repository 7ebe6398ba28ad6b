// kernel: rolling_dev
// verdict: verify
// standard: c++20
// tries: slides the sums of x minus a mean and of its square along, started anew every 256 windows; after a spike (1e9 among values near 1) has left the window its rounding errors stay in the sums, and the deviations behind it are far off until the next start
#include <cmath>

void rolling_dev(const double* x, double* dev, int n, int w) {
  if (w < 1) return;
  const int windows = n - w + 1;
  if (w < 8) {  // nothing to save
    for (int i = 0; i < windows; ++i) {
      double s = 0, q = 0;
      for (int j = 0; j < w; ++j) s += x[i + j];
      for (int j = 0; j < w; ++j) q += (x[i + j] - s / w) * (x[i + j] - s / w);
      dev[i] = std::sqrt(q / w);
    }
    return;
  }
  for (int begin = 0; begin < windows; begin += 256) {
    const int end = begin + 256 < windows ? begin + 256 : windows;
    double shift = 0;
    for (int j = 0; j < w; ++j) shift += x[begin + j];
    shift /= w;
    double sum = 0, squares = 0;
    for (int j = 0; j < w; ++j) {
      const double d = x[begin + j] - shift;
      sum += d;
      squares += d * d;
    }
    bool sound = true;
    for (int i = begin;; ++i) {
      const double mean = sum / w, var = squares / w - mean * mean;
      sound = sound && var - var == 0;
      if (sound) {
        dev[i] = std::sqrt(var < 0 ? 0 : var);
      } else {  // a missing value came in: the sums are lost, take this window as it is
        double s = 0, q = 0;
        for (int j = 0; j < w; ++j) s += x[i + j];
        for (int j = 0; j < w; ++j) q += (x[i + j] - s / w) * (x[i + j] - s / w);
        dev[i] = std::sqrt(q / w);
      }
      if (i + 1 >= end) break;
      const double in = x[i + w] - shift, out = x[i] - shift;
      sum += in - out;
      squares += in * in - out * out;
    }
  }
}
