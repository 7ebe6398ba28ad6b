// kernel: layer_norm
// verdict: right
// tries: sums of values and squares in one pass, in double and counted from the row's first value
#include <cmath>
void layer_norm(const float* x, const float* gain, const float* shift, float* __restrict y, int rows, int cols, float eps) {
  if (cols < 1) return;
  for (int r = 0; r < rows; ++r) {
    const float* from = x + r * cols;
    float* to = y + r * cols;
    const double origin = from[0];
    double s[4] = {}, q[4] = {};
    int c = 0;
    for (; c + 4 <= cols; c += 4)
      for (int l = 0; l < 4; ++l) {
        const double d = from[c + l] - origin;
        s[l] += d;
        q[l] += d * d;
      }
    for (; c < cols; ++c) {
      const double d = from[c] - origin;
      s[0] += d;
      q[0] += d * d;
    }
    const double sum = (s[0] + s[1]) + (s[2] + s[3]), squares = (q[0] + q[1]) + (q[2] + q[3]);
    const double offset = sum / cols, mean = origin + offset;
    const double scale = 1.0 / std::sqrt((squares - sum * offset) / cols + eps);
    for (c = 0; c < cols; ++c) to[c] = static_cast<float>((from[c] - mean) * scale * gain[c] + shift[c]);
  }
}
