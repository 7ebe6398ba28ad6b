// kernel: sparse
// verdict: verify
// tries: at least one element in each row: of an empty row it makes the next row's first product
void sparse(const int* rows, const int* cols, const float* v, const float* x, float* y, int n, int nnz) {
  for (int r = 0; r < n; ++r) {
    int k = rows[r];
    if (k >= nnz) {
      y[r] = 0;
      continue;
    }
    float sum = v[k] * x[cols[k]];
    while (++k < rows[r + 1]) sum += v[k] * x[cols[k]];
    y[r] = sum;
  }
}
