// gramschmidt: the columns of A made orthogonal, A = Q R.
#include <cmath>

#pragma hone kernel inout(a [0:m * n]) out(r [0:n * n], q [0:m * n]) problem(m = 200, n = 140) tolerance(rtol = 1e-7) \
    requires(m >= n)
void gramschmidt(double* a, double* r, double* q, int m, int n) {
  for (int k = 0; k < n; k++) {
    double norm = 0.0;
    for (int i = 0; i < m; i++) norm += a[i * n + k] * a[i * n + k];
    for (int j = 0; j < k; j++) r[k * n + j] = 0.0;
    r[k * n + k] = std::sqrt(norm);
    for (int i = 0; i < m; i++) q[i * n + k] = a[i * n + k] / r[k * n + k];
    for (int j = k + 1; j < n; j++) {
      r[k * n + j] = 0.0;
      for (int i = 0; i < m; i++) r[k * n + j] += q[i * n + k] * a[i * n + j];
      for (int i = 0; i < m; i++) a[i * n + j] = a[i * n + j] - q[i * n + k] * r[k * n + j];
    }
  }
}
