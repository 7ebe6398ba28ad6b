// syr2k: the lower triangle of C takes beta C + alpha (A transpose(B) + B transpose(A)).

#pragma hone kernel inout(c [0:n * n]) in(a [0:n * m], b [0:n * m]) problem(n = 240, m = 200) tolerance(rtol = 1e-9)
void syr2k(double* c, const double* a, const double* b, double alpha, double beta, int n, int m) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) c[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        c[i * n + j] += a[j * m + k] * alpha * b[i * m + k] + b[j * m + k] * alpha * a[i * m + k];
  }
}
