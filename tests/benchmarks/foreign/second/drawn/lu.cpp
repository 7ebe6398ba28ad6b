// lu: an LU decomposition without pivots.
#include <vector>

#include <hone/workload.h>

void lu(double* a, int n);

inline void lu_case(hone::workload& w, int n) {
  if (n < 1) return w.skip();
  std::vector<double> a(n * n);
  w.fill(a, -1, 1);
  for (int i = 0; i < n; i++) a[i * n + i] += n;
  w.time([&] { lu(a.data(), n); });
  w.close(a);
}

#pragma hone kernel workload(lu_case) problem(n = 300) tolerance(rtol = 1e-9)
void lu(double* a, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
      a[i * n + j] /= a[j * n + j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
  }
}
