// mvt: x1 += A y1 and x2 += transpose(A) y2.

#pragma hone kernel in(a [0:n * n], y1 [0:n], y2 [0:n]) inout(x1 [0:n], x2 [0:n]) problem(n = 400) \
    tolerance(rtol = 1e-9)
void mvt(const double* a, double* x1, double* x2, const double* y1, const double* y2, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x1[i] = x1[i] + a[i * n + j] * y1[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x2[i] = x2[i] + a[j * n + i] * y2[j];
}
