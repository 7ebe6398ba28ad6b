// correlation: of the columns of a table of n points with m values each; the columns are normalized in place.
#include <cmath>

#pragma hone kernel inout(data [0:n * m]) out(corr [0:m * m], mean [0:m], dev [0:m]) problem(m = 240, n = 260) \
    tolerance(rtol = 1e-9) requires(n > 1 && m > 0)
void correlation(double* data, double* corr, double* mean, double* dev, int m, int n) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < n; i++) mean[j] += data[i * m + j];
    mean[j] /= n;
  }
  for (int j = 0; j < m; j++) {
    dev[j] = 0.0;
    for (int i = 0; i < n; i++) dev[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
    dev[j] = std::sqrt(dev[j] / n);
    if (dev[j] <= 0.1) dev[j] = 1.0;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      data[i * m + j] -= mean[j];
      data[i * m + j] /= std::sqrt(double(n)) * dev[j];
    }
  for (int i = 0; i < m - 1; i++) {
    corr[i * m + i] = 1.0;
    for (int j = i + 1; j < m; j++) {
      corr[i * m + j] = 0.0;
      for (int k = 0; k < n; k++) corr[i * m + j] += data[k * m + i] * data[k * m + j];
      corr[j * m + i] = corr[i * m + j];
    }
  }
  corr[(m - 1) * m + m - 1] = 1.0;
}
