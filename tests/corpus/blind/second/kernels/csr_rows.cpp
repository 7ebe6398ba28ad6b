// A sparse matrix in compressed rows times a vector, added to what is there; rows are summed in double.
#pragma hone kernel in(start[0:m + 1], col[0:nnz], value[0:nnz], x[0:n]) inout(y[0:m]) \
    problem(m = 3000, n = 5000, nnz = 60000) problem(m = 200, n = 5000, nnz = 40000) requires(n > 0) \
    init(start: sorted(0, nnz), col: index(n)) tolerance(rtol = 1e-5, atol = 1e-5)
void csr_rows(const int* start, const int* col, const float* value, const float* x, float* y, int m, int n, int nnz) {
  for (int i = 0; i < m; ++i) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += static_cast<double>(value[k]) * x[col[k]];
    y[i] = static_cast<float>(y[i] + sum);
  }
}
