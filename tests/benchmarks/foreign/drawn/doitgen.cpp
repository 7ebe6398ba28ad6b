// doitgen: each vector of a three-dimensional array times a matrix, in place.

#pragma hone kernel inout(a [0:nr * nq * np]) in(c [0:np * np]) out(sum [0:np]) problem(nr = 50, nq = 40, np = 60) \
    tolerance(rtol = 1e-9)
void doitgen(double* a, const double* c, double* sum, int nr, int nq, int np) {
  for (int r = 0; r < nr; r++)
    for (int q = 0; q < nq; q++) {
      for (int p = 0; p < np; p++) {
        sum[p] = 0.0;
        for (int s = 0; s < np; s++) sum[p] += a[(r * nq + q) * np + s] * c[s * np + p];
      }
      for (int p = 0; p < np; p++) a[(r * nq + q) * np + p] = sum[p];
    }
}
