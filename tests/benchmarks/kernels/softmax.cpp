// Softmax of each row: the largest, the exponentials and their sum, the division.
#include <cmath>

#pragma hone kernel in(x[0 : rows * columns]) out(y[0 : rows * columns]) init(x : uniform(-4, 4)) \
    problem(rows = 512, columns = 1024) problem(rows = 501, columns = 777) tolerance(rtol = 1e-4)
void softmax(const float* x, float* y, int rows, int columns) {
  for (int r = 0; r < rows; ++r) {
    const float* in = x + r * columns;
    float* out = y + r * columns;
    float largest = in[0];
    for (int c = 1; c < columns; ++c) {
      if (in[c] > largest) largest = in[c];
    }
    float sum = 0.0f;
    for (int c = 0; c < columns; ++c) {
      out[c] = std::exp(in[c] - largest);
      sum += out[c];
    }
    for (int c = 0; c < columns; ++c) {
      out[c] = out[c] / sum;
    }
  }
}
