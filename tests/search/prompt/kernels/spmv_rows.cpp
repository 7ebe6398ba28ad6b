// right: avoid-gathers software-prefetch
// Sparse matrix times vector, rows compressed.
void spmv_rows(const int* start, const int* column, const double* value, const double* x, double* y, int rows) {
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int k = start[r]; k < start[r + 1]; ++k) sum += value[k] * x[column[k]];
    y[r] = sum;
  }
}
