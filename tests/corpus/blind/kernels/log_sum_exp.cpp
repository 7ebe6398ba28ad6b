// The logarithm of each row's summed exponentials, the largest taken out first.
#include <cmath>

#pragma hone kernel in(x [0:rows] [0:cols])out(y [0:rows]) problem(rows = 40, cols = 250) \
    tolerance(rtol = 1e-5, atol = 1e-6)
void log_sum_exp(const float* x, float* y, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    float most = -INFINITY;
    for (int c = 0; c < cols; ++c)
      if (x[r * cols + c] > most) most = x[r * cols + c];
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += std::exp(x[r * cols + c] - most);
    y[r] = most + std::log(sum);
  }
}
