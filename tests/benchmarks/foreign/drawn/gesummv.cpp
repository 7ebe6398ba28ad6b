// gesummv: y = alpha A x + beta B x.

#pragma hone kernel in(a [0:n * n], b [0:n * n], x [0:n]) out(t [0:n], y [0:n]) problem(n = 250) \
    init(alpha                                                                                   \
         : uniform(1, 2), beta                                                                   \
         : uniform(1, 2)) tolerance(rtol = 1e-9)
void gesummv(double alpha, double beta, const double* a, const double* b, const double* x, double* t, double* y,
             int n) {
  for (int i = 0; i < n; i++) {
    t[i] = 0.0;
    y[i] = 0.0;
    for (int j = 0; j < n; j++) {
      t[i] = a[i * n + j] * x[j] + t[i];
      y[i] = b[i * n + j] * x[j] + y[i];
    }
    y[i] = alpha * t[i] + beta * y[i];
  }
}
