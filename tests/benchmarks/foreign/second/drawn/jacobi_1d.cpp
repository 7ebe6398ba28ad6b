// jacobi-1d: the mean of three neighbors, from one row into the other and back.

#pragma hone kernel inout(a [0:n], b [0:n]) problem(steps = 100, n = 400) tolerance(rtol = 1e-9)
void jacobi_1d(double* a, double* b, int steps, int n) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
    for (int i = 1; i < n - 1; i++) a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
  }
}
