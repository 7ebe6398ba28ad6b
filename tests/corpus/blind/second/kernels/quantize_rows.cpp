// Rows of floats to signed bytes, 127 for the largest magnitude of each row, rounded to even. No numbers become 0.
#include <cmath>

#pragma hone kernel in(x[0:rows][0:cols]) out(q[0:rows][0:cols], scale[0:rows]) problem(rows = 100, cols = 400) \
    problem(rows = 700, cols = 30) init(x: normal)
void quantize_rows(const float* x, signed char* q, float* scale, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const float* from = x + static_cast<long>(r) * cols;
    signed char* to = q + static_cast<long>(r) * cols;
    float most = 0;
    for (int c = 0; c < cols; ++c)
      if (std::fabs(from[c]) > most) most = std::fabs(from[c]);
    const float inverse = most > 0 ? 127 / most : 0;
    for (int c = 0; c < cols; ++c) {
      const float v = from[c] * inverse;
      if (v != v) to[c] = 0;
      else if (v >= 127) to[c] = 127;
      else if (v <= -127) to[c] = -127;
      else to[c] = static_cast<signed char>(std::lrint(v));
    }
    scale[r] = most / 127;
  }
}
