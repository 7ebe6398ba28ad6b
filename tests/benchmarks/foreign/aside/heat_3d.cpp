// heat-3d: the heat equation over a cube, from one array into the other and back.

#pragma hone kernel inout(a [0:n * n * n], b [0:n * n * n]) problem(steps = 100, n = 40) tolerance(rtol = 1e-9)
void heat_3d(double* a, double* b, int steps, int n) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++) {
          const int at = (i * n + j) * n + k;
          b[at] = 0.125 * (a[at + n * n] - 2.0 * a[at] + a[at - n * n]) +
                  0.125 * (a[at + n] - 2.0 * a[at] + a[at - n]) + 0.125 * (a[at + 1] - 2.0 * a[at] + a[at - 1]) + a[at];
        }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++) {
          const int at = (i * n + j) * n + k;
          a[at] = 0.125 * (b[at + n * n] - 2.0 * b[at] + b[at - n * n]) +
                  0.125 * (b[at + n] - 2.0 * b[at] + b[at - n]) + 0.125 * (b[at + 1] - 2.0 * b[at] + b[at - 1]) + b[at];
        }
  }
}
