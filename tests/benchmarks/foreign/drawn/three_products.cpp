// 3mm: g = (a b) (c d), three products in a row.

#pragma hone kernel in(a [0:ni * nk], b [0:nk * nj], c [0:nj * nm], d [0:nm * nl])                             \
    out(e [0:ni * nj], f [0:nj * nl], g [0:ni * nl]) problem(ni = 180, nj = 190, nk = 200, nl = 210, nm = 220) \
        tolerance(rtol = 1e-9)
void three_products(const double* a, const double* b, const double* c, const double* d, double* e, double* f, double* g,
                    int ni, int nj, int nk, int nl, int nm) {
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      e[i * nj + j] = 0.0;
      for (int k = 0; k < nk; k++) e[i * nj + j] += a[i * nk + k] * b[k * nj + j];
    }
  for (int i = 0; i < nj; i++)
    for (int j = 0; j < nl; j++) {
      f[i * nl + j] = 0.0;
      for (int k = 0; k < nm; k++) f[i * nl + j] += c[i * nm + k] * d[k * nl + j];
    }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nl; j++) {
      g[i * nl + j] = 0.0;
      for (int k = 0; k < nj; k++) g[i * nl + j] += e[i * nj + k] * f[k * nl + j];
    }
}
