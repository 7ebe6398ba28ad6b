// 2mm: D = alpha A B C + beta D.

#pragma hone kernel in(a [0:ni * nk], b [0:nk * nj], c [0:nj * nl]) out(tmp [0:ni * nj]) inout(d [0:ni * nl]) \
    problem(ni = 180, nj = 190, nk = 210, nl = 220) tolerance(rtol = 1e-9)
void two_products(const double* a, const double* b, const double* c, double* d, double* tmp, double alpha, double beta,
                  int ni, int nj, int nk, int nl) {
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      tmp[i * nj + j] = 0.0;
      for (int k = 0; k < nk; k++) tmp[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
    }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nl; j++) {
      d[i * nl + j] *= beta;
      for (int k = 0; k < nj; k++) d[i * nl + j] += tmp[i * nj + k] * c[k * nl + j];
    }
}
