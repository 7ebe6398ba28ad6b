// Mean and variance of each column, in double.

#pragma hone kernel in(x[0 : rows][0 : columns]) out(mean[0 : columns], variance[0 : columns]) \
    init(x : uniform(-2, 3)) problem(rows = 200, columns = 120) problem(rows = 331, columns = 37)
void mean_variance(const double* x, double* mean, double* variance, int rows, int columns) {
  for (int c = 0; c < columns; ++c) {
    double sum = 0.0;
    for (int r = 0; r < rows; ++r) {
      sum += x[r * columns + c];
    }
    const double middle = sum / rows;
    double squares = 0.0;
    for (int r = 0; r < rows; ++r) {
      const double d = x[r * columns + c] - middle;
      squares += d * d;
    }
    mean[c] = middle;
    variance[c] = rows > 1 ? squares / (rows - 1) : 0.0;
  }
}
