// kernel: sparse
// verdict: verify
// tries: products in a row buffer of 256: a row with 300 of them loses the rest
void sparse(const int* rows, const int* cols, const float* v, const float* x, float* y, int n, int) {
  for (int r = 0; r < n; ++r) {
    float products[256];
    int count = 0;
    for (int k = rows[r]; k < rows[r + 1] && count < 256; ++k) products[count++] = v[k] * x[cols[k]];
    float sum = 0;
    for (int i = 0; i < count; ++i) sum += products[i];
    y[r] = sum;
  }
}
