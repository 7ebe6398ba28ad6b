// Matrix product, as one first writes it: i, j, k with a scalar sum; B is read down its columns.

#pragma hone kernel in(a[0 : m * k], b[0 : k * n]) out(c[0 : m * n]) init(a : uniform(0, 1), b : uniform(0, 1)) \
    problem(m = 256, n = 256, k = 256) problem(m = 211, n = 193, k = 227) tolerance(rtol = 1e-4)
void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0.0f;
      for (int p = 0; p < k; ++p) {
        sum += a[i * k + p] * b[p * n + j];
      }
      c[i * n + j] = sum;
    }
  }
}
