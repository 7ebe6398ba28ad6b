// adi: heat in the plane by alternating directions; each half step solves tridiagonal systems along one of them.

#pragma hone kernel inout(u [0:n * n]) out(v [0:n * n], p [0:n * n], q [0:n * n]) problem(steps = 20, n = 200) \
    requires(n >= 3) tolerance(rtol = 1e-9)
void adi(double* u, double* v, double* p, double* q, int steps, int n) {
  const double a = -0.4, b = 1.8, c = -0.4, d = -0.2, e = 1.4, f = -0.2;
  for (int i = 0; i < n * n; i++) v[i] = p[i] = q[i] = 0.0;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      v[0 * n + i] = 1.0;
      p[i * n + 0] = 0.0;
      q[i * n + 0] = v[0 * n + i];
      for (int j = 1; j < n - 1; j++) {
        p[i * n + j] = -c / (a * p[i * n + j - 1] + b);
        q[i * n + j] = (-d * u[j * n + i - 1] + (1.0 + 2.0 * d) * u[j * n + i] - f * u[j * n + i + 1] -
                        a * q[i * n + j - 1]) /
                       (a * p[i * n + j - 1] + b);
      }
      v[(n - 1) * n + i] = 1.0;
      for (int j = n - 2; j >= 1; j--) v[j * n + i] = p[i * n + j] * v[(j + 1) * n + i] + q[i * n + j];
    }
    for (int i = 1; i < n - 1; i++) {
      u[i * n + 0] = 1.0;
      p[i * n + 0] = 0.0;
      q[i * n + 0] = u[i * n + 0];
      for (int j = 1; j < n - 1; j++) {
        p[i * n + j] = -f / (d * p[i * n + j - 1] + e);
        q[i * n + j] = (-a * v[(i - 1) * n + j] + (1.0 + 2.0 * a) * v[i * n + j] - c * v[(i + 1) * n + j] -
                        d * q[i * n + j - 1]) /
                       (d * p[i * n + j - 1] + e);
      }
      u[i * n + n - 1] = 1.0;
      for (int j = n - 2; j >= 1; j--) u[i * n + j] = p[i * n + j] * u[i * n + j + 1] + q[i * n + j];
    }
  }
}
