// syrk: the lower triangle of c = alpha A transpose(A) + beta c.

#pragma hone kernel in(a [0:n * m]) inout(c [0:n * n]) problem(m = 200, n = 240) init(alpha                 \
                                                                                      : uniform(1, 2), beta \
                                                                                      : uniform(1, 2))      \
    tolerance(rtol = 1e-9)
void syrk(double alpha, double beta, const double* a, double* c, int m, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) c[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++) c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
  }
}
