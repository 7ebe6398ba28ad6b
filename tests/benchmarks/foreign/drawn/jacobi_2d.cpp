// jacobi-2d: the mean of five neighbors, from one plane into the other and back.

#pragma hone kernel inout(a [0:n * n], b [0:n * n]) problem(steps = 100, n = 250) tolerance(rtol = 1e-9)
void jacobi_2d(double* a, double* b, int steps, int n) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i * n + j] =
            0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j] + a[(i - 1) * n + j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i * n + j] =
            0.2 * (b[i * n + j] + b[i * n + j - 1] + b[i * n + j + 1] + b[(i + 1) * n + j] + b[(i - 1) * n + j]);
  }
}
