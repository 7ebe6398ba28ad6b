// bicg: s = transpose(A) r and q = A p in one pass.

#pragma hone kernel in(a [0:n * m], r [0:n], p [0:m]) out(s [0:m], q [0:n]) problem(n = 410, m = 390) \
    tolerance(rtol = 1e-9)
void bicg(const double* a, const double* r, const double* p, double* s, double* q, int n, int m) {
  for (int j = 0; j < m; j++) s[j] = 0;
  for (int i = 0; i < n; i++) {
    q[i] = 0.0;
    for (int j = 0; j < m; j++) {
      s[j] = s[j] + r[i] * a[i * m + j];
      q[i] = q[i] + a[i * m + j] * p[j];
    }
  }
}
