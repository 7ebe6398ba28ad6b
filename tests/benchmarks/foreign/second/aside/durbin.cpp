// durbin: the Yule-Walker equations by recursion over their order.
#include <vector>

#include <hone/workload.h>

void durbin(const double* r, double* y, double* z, int n);

inline void durbin_case(hone::workload& w, int n) {
  if (n < 1) return w.skip();
  std::vector<double> r(n), y(n), z(n);
  w.fill(r, -0.5 / n, 0.5 / n);
  w.time([&] { durbin(r.data(), y.data(), z.data(), n); });
  w.close(y);
}

#pragma hone kernel workload(durbin_case) problem(n = 400) tolerance(rtol = 1e-9)
void durbin(const double* r, double* y, double* z, int n) {
  y[0] = -r[0];
  double beta = 1.0, alpha = -r[0];
  for (int k = 1; k < n; k++) {
    beta = (1 - alpha * alpha) * beta;
    double sum = 0.0;
    for (int i = 0; i < k; i++) sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int i = 0; i < k; i++) z[i] = y[i] + alpha * y[k - i - 1];
    for (int i = 0; i < k; i++) y[i] = z[i];
    y[k] = alpha;
  }
}
