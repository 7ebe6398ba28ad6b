// gemv that calls a strided dot for each column.
static float dot(const float* x, int step_x, const float* y, int step_y, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i * step_x] * y[i * step_y];
  return sum;
}

#pragma hone kernel in(a[0 : rows * columns]) in(x[0:rows]) out(y[0:columns]) tolerance(rtol = 1e-3, atol = 1e-4) \
    problem(rows = 700, columns = 900) problem(rows = 333, columns = 257)
void gemv_transposed(const float* a, const float* x, float* y, int rows, int columns) {
  for (int j = 0; j < columns; ++j) y[j] = dot(a + j, columns, x, 1, rows);
}
