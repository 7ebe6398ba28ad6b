// trmm: b = alpha transpose(A) b with a unit lower triangle A, in place.

#pragma hone kernel in(a [0:m * m]) inout(b [0:m * n]) problem(m = 200, n = 240) init(alpha            \
                                                                                      : uniform(1, 2)) \
    tolerance(rtol = 1e-9)
void trmm(double alpha, const double* a, double* b, int m, int n) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      for (int k = i + 1; k < m; k++) b[i * n + j] += a[k * m + i] * b[k * n + j];
      b[i * n + j] = alpha * b[i * n + j];
    }
}
