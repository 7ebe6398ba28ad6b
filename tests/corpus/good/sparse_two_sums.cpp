// kernel: sparse
// verdict: right
// tries: two sums a row
void sparse(const int* rows, const int* cols, const float* v, const float* x, float* y, int n, int) {
  for (int r = 0; r < n; ++r) {
    const int end = rows[r + 1];
    float s0 = 0, s1 = 0;
    int k = rows[r];
    for (; k + 2 <= end; k += 2) s0 += v[k] * x[cols[k]], s1 += v[k + 1] * x[cols[k + 1]];
    if (k < end) s0 += v[k] * x[cols[k]];
    y[r] = s0 + s1;
  }
}
