// seidel-2d: the mean of nine neighbors, in place.

#pragma hone kernel inout(a [0:n * n]) problem(steps = 20, n = 250) tolerance(rtol = 1e-9)
void seidel_2d(double* a, int steps, int n) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i * n + j] = (a[(i - 1) * n + j - 1] + a[(i - 1) * n + j] + a[(i - 1) * n + j + 1] + a[i * n + j - 1] +
                        a[i * n + j] + a[i * n + j + 1] + a[(i + 1) * n + j - 1] + a[(i + 1) * n + j] +
                        a[(i + 1) * n + j + 1]) /
                       9.0;
}
