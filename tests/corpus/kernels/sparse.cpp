// A sparse matrix, by rows, times a vector.
#pragma hone kernel in(rows [0:n + 1], cols [0:nnz], v [0:nnz], x [0:n]) out(y [0:n]) problem(n = 2000, nnz = 20000) \
    init(rows                                                                                                        \
         : sorted(0, nnz), cols                                                                                      \
         : index(n))
void sparse(const int* rows, const int* cols, const float* v, const float* x, float* y, int n, int nnz) {
  (void)nnz;
  for (int r = 0; r < n; ++r) {
    float sum = 0;
    for (int k = rows[r]; k < rows[r + 1]; ++k) sum += v[k] * x[cols[k]];
    y[r] = sum;
  }
}
