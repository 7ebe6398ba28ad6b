// covariance: of the columns of a table of n points with m values each; the columns are centered in place.

#pragma hone kernel inout(data [0:n * m]) out(cov [0:m * m], mean [0:m]) problem(m = 240, n = 260) \
    tolerance(rtol = 1e-9) requires(n > 1)
void covariance(double* data, double* cov, double* mean, int m, int n) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < n; i++) mean[j] += data[i * m + j];
    mean[j] /= n;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) data[i * m + j] -= mean[j];
  for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++) {
      cov[i * m + j] = 0.0;
      for (int k = 0; k < n; k++) cov[i * m + j] += data[k * m + i] * data[k * m + j];
      cov[i * m + j] /= (n - 1.0);
      cov[j * m + i] = cov[i * m + j];
    }
}
