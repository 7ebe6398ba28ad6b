// PolyBench's syr2k: a symmetric update of rank 2k, of the lower triangle.

#pragma hone kernel inout(c[0:n * n]) in(a[0:n * m], b[0:n * m]) init(a: uniform(0, 1), b: uniform(0, 1), \
    c: uniform(0, 1)) problem(n = 160, m = 120, alpha = 1.5, beta = 1.2) \
    problem(n = 101, m = 87, alpha = 1.5, beta = 1.2) tolerance(rtol = 1e-9)
void syr2k(double* c, const double* a, const double* b, double alpha, double beta, int n, int m) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) c[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        c[i * n + j] += a[j * m + k] * alpha * b[i * m + k] + b[j * m + k] * alpha * a[i * m + k];
  }
}
