// PolyBench's doitgen: each row of a three-dimensional array times a matrix.

#pragma hone kernel inout(a[0:r * q * p]) in(c4[0:p * p]) out(sum[0:p]) init(a: uniform(0, 1), c4: uniform(0, 1)) \
    problem(r = 50, q = 40, p = 60) problem(r = 23, q = 31, p = 47) tolerance(rtol = 1e-9)
void doitgen(double* a, const double* c4, double* sum, int r, int q, int p) {
  for (int i = 0; i < r; i++)
    for (int j = 0; j < q; j++) {
      for (int k = 0; k < p; k++) {
        sum[k] = 0.0;
        for (int s = 0; s < p; s++) sum[k] += a[(i * q + j) * p + s] * c4[s * p + k];
      }
      for (int k = 0; k < p; k++) a[(i * q + j) * p + k] = sum[k];
    }
}
