// kernel: csr_rows
// verdict: right
// tries: four independent sums in double, the end of one row kept as the start of the next
void csr_rows(const int* __restrict start, const int* __restrict col, const float* __restrict value,
                 const float* __restrict x, float* __restrict y, int m, int n, int nnz) {
  (void)n;
  (void)nnz;
  if (m < 1) return;
  int end = start[0];
  for (int i = 0; i < m; ++i) {
    int k = end;
    end = start[i + 1];
    double a = 0, b = 0, c = 0, d = 0;
    for (; end - k >= 4; k += 4) {
      a += static_cast<double>(value[k]) * x[col[k]];
      b += static_cast<double>(value[k + 1]) * x[col[k + 1]];
      c += static_cast<double>(value[k + 2]) * x[col[k + 2]];
      d += static_cast<double>(value[k + 3]) * x[col[k + 3]];
    }
    for (; k < end; ++k) a += static_cast<double>(value[k]) * x[col[k]];
    y[i] = static_cast<float>(y[i] + ((a + b) + (c + d)));
  }
}
