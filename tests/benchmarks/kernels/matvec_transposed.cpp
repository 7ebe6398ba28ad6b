// y = transpose(A) x, column by column, summing into y[j] in memory.

#pragma hone kernel in(a[0 : rows * columns], x[0 : rows]) out(y[0 : columns])      \
    init(a : uniform(0, 1), x : uniform(0, 1)) problem(rows = 1024, columns = 1024) \
        problem(rows = 1111, columns = 1003) tolerance(rtol = 1e-4)
void matvec_transposed(const float* a, const float* x, float* y, int rows, int columns) {
  for (int j = 0; j < columns; ++j) {
    y[j] = 0.0f;
    for (int i = 0; i < rows; ++i) {
      y[j] += a[i * columns + j] * x[i];
    }
  }
}
