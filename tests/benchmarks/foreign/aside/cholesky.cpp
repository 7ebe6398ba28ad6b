// cholesky: the lower triangle of a positive definite matrix becomes its Cholesky factor.
#include <cmath>
#include <vector>

#include <hone/workload.h>

void cholesky(double* a, int n);

inline void cholesky_case(hone::workload& w, int n) {
  if (n < 1) return w.skip();
  std::vector<double> a(n * n);
  w.fill(a, -1, 1);
  for (int i = 0; i < n; i++) a[i * n + i] += 2 * n;
  w.time([&] { cholesky(a.data(), n); });
  w.close(a);
}

#pragma hone kernel workload(cholesky_case) problem(n = 400) tolerance(rtol = 1e-9)
void cholesky(double* a, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
      a[i * n + j] /= a[j * n + j];
    }
    for (int k = 0; k < i; k++) a[i * n + i] -= a[i * n + k] * a[i * n + k];
    a[i * n + i] = std::sqrt(a[i * n + i]);
  }
}
