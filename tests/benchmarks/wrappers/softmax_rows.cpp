// Two levels: a checked entry over a loop over rows, over a function for each row.
#include <cmath>

namespace {

float largest_of(const float* v, int n) {
  float largest = v[0];
  for (int i = 1; i < n; ++i)
    if (v[i] > largest) largest = v[i];
  return largest;
}

void softmax_row(const float* in, float* out, int n) {
  const float largest = largest_of(in, n);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    out[i] = std::exp(in[i] - largest);
    sum += out[i];
  }
  for (int i = 0; i < n; ++i) out[i] /= sum;
}

void softmax_all(const float* in, float* out, int rows, int columns) {
  for (int r = 0; r < rows; ++r) softmax_row(in + r * columns, out + r * columns, columns);
}

}  // namespace

#pragma hone kernel in(in[0 : rows * columns]) out(out[0 : rows * columns]) tolerance(rtol = 1e-4, atol = 1e-6) \
    requires(rows > 0, columns > 0) problem(rows = 128, columns = 1000) problem(rows = 65, columns = 333)
void softmax_rows(const float* in, float* out, int rows, int columns) {
  if (rows < 1 || columns < 1) return;
  softmax_all(in, out, rows, columns);
}
