// gemver: two updates of rank one, and two products of the matrix with vectors.

#pragma hone kernel inout(a [0:n * n], x [0:n], w [0:n]) in(u1 [0:n], v1 [0:n], u2 [0:n], v2 [0:n], y [0:n], z [0:n]) \
    problem(n = 400) tolerance(rtol = 1e-9)
void gemver(double* a, const double* u1, const double* v1, const double* u2, const double* v2, double* w, double* x,
            const double* y, const double* z, double alpha, double beta, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i * n + j] = a[i * n + j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x[i] = x[i] + beta * a[j * n + i] * y[j];
  for (int i = 0; i < n; i++) x[i] = x[i] + z[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) w[i] = w[i] + alpha * a[i * n + j] * x[j];
}
