// trisolv: a triangular system by forward substitution.
#include <vector>

#include <hone/workload.h>

void trisolv(const double* l, double* x, const double* b, int n);

inline void trisolv_case(hone::workload& w, int n) {
  if (n < 1) return w.skip();
  std::vector<double> l(n * n), x(n), b(n);
  w.fill(l, -1, 1);
  w.fill(b, -1, 1);
  for (int i = 0; i < n; i++) l[i * n + i] += n;
  w.time([&] { trisolv(l.data(), x.data(), b.data(), n); });
  w.close(x);
}

#pragma hone kernel workload(trisolv_case) problem(n = 400) tolerance(rtol = 1e-9)
void trisolv(const double* l, double* x, const double* b, int n) {
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++) x[i] -= l[i * n + j] * x[j];
    x[i] = x[i] / l[i * n + i];
  }
}
