// A sparse matrix in compressed rows times a vector. Columns of a row come in any order, and may come twice.
#pragma hone kernel in(start[0:rows+1], col[0:nnz], v[0:nnz], x[0:cols]) out(y[0:rows]) \
    problem(rows = 4000, cols = 4000, nnz = 60000) init(start: sorted(0, nnz), col: index(cols)) \
    requires(cols > 0) tolerance(rtol = 1e-4)
void csr_product(const int* start, const int* col, const float* v, const float* x, float* y, int rows, int cols, int nnz) {
  (void)cols, (void)nnz;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int k = start[r]; k < start[r + 1]; ++k) sum += v[k] * x[col[k]];
    y[r] = sum;
  }
}
