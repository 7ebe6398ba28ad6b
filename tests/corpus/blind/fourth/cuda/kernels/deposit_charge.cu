// Particle in cell: every particle spreads its charge over the four nodes of the grid around it. The grid is double, so
// that many small charges add up.

__global__ void deposit_charge_kernel(const float* x, const float* y, const float* charge, double* grid,
                                      int particles, int width, int height) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= particles) {
    return;
  }
  float fx = x[p] * (width - 1);
  float fy = y[p] * (height - 1);
  int ix = min((int)fx, width - 2);
  int iy = min((int)fy, height - 2);
  float tx = fx - ix;
  float ty = fy - iy;
  float q = charge[p];
  atomicAdd(&grid[iy * width + ix], q * (1 - tx) * (1 - ty));
  atomicAdd(&grid[iy * width + ix + 1], q * tx * (1 - ty));
  atomicAdd(&grid[(iy + 1) * width + ix], q * (1 - tx) * ty);
  atomicAdd(&grid[(iy + 1) * width + ix + 1], q * tx * ty);
}

#pragma hone kernel in(x[0 : particles], y[0 : particles], charge[0 : particles]) out(grid[0 : height][0 : width]) \
    problem(particles = 2000000, width = 32, height = 24) problem(particles = 30011, width = 61, height = 37) \
    init(x : uniform(0, 1), y : uniform(0, 1), charge : uniform(0.1, 1)) requires(width >= 2 && height >= 2) \
    tolerance(rtol = 1e-3) stream(s)
void deposit_charge(const float* x, const float* y, const float* charge, double* grid, int particles, int width,
                    int height, cudaStream_t s) {
  cudaMemsetAsync(grid, 0, sizeof(double) * width * height, s);
  if (particles > 0) {
    deposit_charge_kernel<<<(particles + 255) / 256, 256, 0, s>>>(x, y, charge, grid, particles, width, height);
  }
}
