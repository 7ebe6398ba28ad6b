// atax: y = transpose(A) (A x), row by row.

#pragma hone kernel in(a [0:m * n], x [0:n]) out(y [0:n], t [0:m]) problem(m = 390, n = 410) tolerance(rtol = 1e-9)
void atax(const double* a, const double* x, double* y, double* t, int m, int n) {
  for (int j = 0; j < n; j++) y[j] = 0;
  for (int i = 0; i < m; i++) {
    t[i] = 0.0;
    for (int j = 0; j < n; j++) t[i] = t[i] + a[i * n + j] * x[j];
    for (int j = 0; j < n; j++) y[j] = y[j] + a[i * n + j] * t[i];
  }
}
