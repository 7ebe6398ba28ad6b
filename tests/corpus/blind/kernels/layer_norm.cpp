// Rows with their mean taken away, over their deviation; statistics in double.
#include <cmath>

#pragma hone kernel in(x [0:rows] [0:cols], gain [0:cols], shift [0:cols])out(y [0:rows] [0:cols]) \
    problem(rows = 64, cols = 384, eps = 1e-5f)
void layer_norm(const float* x, const float* gain, const float* shift, float* y, int rows, int cols, float eps) {
  for (int r = 0; r < rows; ++r) {
    const float* from = x + r * cols;
    double sum = 0;
    for (int c = 0; c < cols; ++c) sum += from[c];
    const double mean = sum / cols;
    double squares = 0;
    for (int c = 0; c < cols; ++c) squares += (from[c] - mean) * (from[c] - mean);
    const double deviation = std::sqrt(squares / cols + eps);
    for (int c = 0; c < cols; ++c)
      y[r * cols + c] = static_cast<float>((from[c] - mean) / deviation * gain[c] + shift[c]);
  }
}
