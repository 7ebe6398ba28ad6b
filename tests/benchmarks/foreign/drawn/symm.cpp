// symm: c = alpha A b + beta c, of the symmetric A only the lower triangle is stored.

#pragma hone kernel in(a [0:m * m], b [0:m * n]) inout(c [0:m * n]) problem(m = 200, n = 240) \
    init(alpha                                                                                \
         : uniform(1, 2), beta                                                                \
         : uniform(1, 2)) tolerance(rtol = 1e-9)
void symm(double alpha, double beta, const double* a, const double* b, double* c, int m, int n) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < i; k++) {
        c[k * n + j] += alpha * b[i * n + j] * a[i * m + k];
        sum += b[k * n + j] * a[i * m + k];
      }
      c[i * n + j] = beta * c[i * n + j] + alpha * b[i * n + j] * a[i * m + i] + alpha * sum;
    }
}
