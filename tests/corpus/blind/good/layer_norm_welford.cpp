// kernel: layer_norm
// verdict: right
// tries: Welford's recurrence in eight interleaved streams that are merged, so one pass for both statistics
#include <cmath>
void layer_norm(const float* x, const float* gain, const float* shift, float* __restrict y, int rows, int cols, float eps) {
  for (int r = 0; r < rows; ++r) {
    const float* from = x + r * cols;
    float* to = y + r * cols;
    double means[8] = {}, squares[8] = {};
    int c = 0, steps = 0;
    for (; c + 8 <= cols; c += 8) {
      const double share = 1.0 / ++steps;
      for (int l = 0; l < 8; ++l) {
        const double v = from[c + l], d = v - means[l];
        means[l] += d * share;
        squares[l] += d * (v - means[l]);
      }
    }
    double n = steps, mean = means[0], m2 = squares[0];
    for (int l = 1; steps > 0 && l < 8; ++l) {
      const double d = means[l] - mean, both = n + steps;
      mean += d * (steps / both);
      m2 += squares[l] + d * d * (n * steps / both);
      n = both;
    }
    for (; c < cols; ++c) {
      const double d = from[c] - mean;
      n += 1;
      mean += d / n;
      m2 += d * (from[c] - mean);
    }
    const double scale = 1.0 / std::sqrt(m2 / cols + eps);
    for (c = 0; c < cols; ++c) to[c] = static_cast<float>((from[c] - mean) * scale * gain[c] + shift[c]);
  }
}
