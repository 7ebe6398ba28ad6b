// Layer normalisation of each row, with a division and a square root for every element.
#include <cmath>

#pragma hone kernel in(x[0 : rows * columns], gain[0 : columns], bias[0 : columns]) out(y[0 : rows * columns]) \
    init(x : uniform(0, 1), gain : uniform(0, 1), bias : uniform(0, 1)) problem(rows = 512, columns = 1024)    \
        problem(rows = 501, columns = 777) tolerance(rtol = 1e-4, atol = 1e-4)
void layer_norm(const float* x, const float* gain, const float* bias, float* y, int rows, int columns) {
  for (int r = 0; r < rows; ++r) {
    float mean = 0.0f;
    for (int c = 0; c < columns; ++c) {
      mean += x[r * columns + c];
    }
    mean /= columns;
    float variance = 0.0f;
    for (int c = 0; c < columns; ++c) {
      float d = x[r * columns + c] - mean;
      variance += d * d;
    }
    variance /= columns;
    for (int c = 0; c < columns; ++c) {
      y[r * columns + c] = (x[r * columns + c] - mean) / std::sqrt(variance + 1e-5f) * gain[c] + bias[c];
    }
  }
}
