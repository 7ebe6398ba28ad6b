// fdtd-2d: the fields of a plane in time, by finite differences.

#pragma hone kernel inout(ex [0:nx * ny], ey [0:nx * ny], hz [0:nx * ny]) \
    in(source [0:steps])problem(steps = 100, nx = 200, ny = 240) tolerance(rtol = 1e-9)
void fdtd_2d(double* ex, double* ey, double* hz, const double* source, int steps, int nx, int ny) {
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < ny; j++) ey[j] = source[t];
    for (int i = 1; i < nx; i++)
      for (int j = 0; j < ny; j++) ey[i * ny + j] = ey[i * ny + j] - 0.5 * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
    for (int i = 0; i < nx; i++)
      for (int j = 1; j < ny; j++) ex[i * ny + j] = ex[i * ny + j] - 0.5 * (hz[i * ny + j] - hz[i * ny + j - 1]);
    for (int i = 0; i < nx - 1; i++)
      for (int j = 0; j < ny - 1; j++)
        hz[i * ny + j] =
            hz[i * ny + j] - 0.7 * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
  }
}
