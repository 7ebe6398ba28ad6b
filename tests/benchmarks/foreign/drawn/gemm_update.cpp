// gemm: c = alpha a b + beta c, rows of b added to rows of c.

#pragma hone kernel in(a [0:ni * nk], b [0:nk * nj]) inout(c [0:ni * nj]) problem(ni = 200, nj = 220, nk = 240) \
    init(alpha                                                                                                  \
         : uniform(1, 2), beta                                                                                  \
         : uniform(1, 2)) tolerance(rtol = 1e-9)
void gemm_update(double alpha, double beta, const double* a, const double* b, double* c, int ni, int nj, int nk) {
  for (int i = 0; i < ni; i++) {
    for (int j = 0; j < nj; j++) c[i * nj + j] *= beta;
    for (int k = 0; k < nk; k++)
      for (int j = 0; j < nj; j++) c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
  }
}
