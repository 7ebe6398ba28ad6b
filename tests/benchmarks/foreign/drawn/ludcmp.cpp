// ludcmp: a system of linear equations by LU decomposition, without pivots.
#include <vector>

#include <hone/workload.h>

void ludcmp(double* a, const double* b, double* x, double* y, int n);

inline void ludcmp_case(hone::workload& w, int n) {
  if (n < 1) return w.skip();
  std::vector<double> a(n * n), b(n), x(n), y(n);
  w.fill(a, -1, 1);
  w.fill(b, -1, 1);
  for (int i = 0; i < n; i++) a[i * n + i] += n;
  w.time([&] { ludcmp(a.data(), b.data(), x.data(), y.data(), n); });
  w.close(a);
  w.close(x);
  w.close(y);
}

#pragma hone kernel workload(ludcmp_case) problem(n = 400) tolerance(rtol = 1e-9)
void ludcmp(double* a, const double* b, double* x, double* y, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double w = a[i * n + j];
      for (int k = 0; k < j; k++) w -= a[i * n + k] * a[k * n + j];
      a[i * n + j] = w / a[j * n + j];
    }
    for (int j = i; j < n; j++) {
      double w = a[i * n + j];
      for (int k = 0; k < i; k++) w -= a[i * n + k] * a[k * n + j];
      a[i * n + j] = w;
    }
  }
  for (int i = 0; i < n; i++) {
    double w = b[i];
    for (int j = 0; j < i; j++) w -= a[i * n + j] * y[j];
    y[i] = w;
  }
  for (int i = n - 1; i >= 0; i--) {
    double w = y[i];
    for (int j = i + 1; j < n; j++) w -= a[i * n + j] * x[j];
    x[i] = w / a[i * n + i];
  }
}
