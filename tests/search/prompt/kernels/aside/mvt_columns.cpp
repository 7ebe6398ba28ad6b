// right: loop-interchange
// x += transpose(A) y on an array of two subscripts.
void mvt_columns(double (*a)[1024], const double* y, double* x, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      x[i] = x[i] + a[j][i] * y[j];
    }
  }
}
