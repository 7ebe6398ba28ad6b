// One step of the acoustic wave equation in a periodic box: second order in time, eighth order in space (25 points).

__device__ int wave_wrap(int i, int n) { return (i % n + n) % n; }

__global__ void wave_step_kernel(const float* before, const float* now, float* next, int nx, int ny, int nz,
                                 float courant) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z;
  if (x >= nx || y >= ny) {
    return;
  }
  const float c[5] = {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560};
  size_t here = ((size_t)z * ny + y) * nx + x;
  float laplace = 3 * c[0] * now[here];
  for (int r = 1; r <= 4; ++r) {
    laplace += c[r] * (now[((size_t)z * ny + y) * nx + wave_wrap(x - r, nx)] +
                       now[((size_t)z * ny + y) * nx + wave_wrap(x + r, nx)]);
    laplace += c[r] * (now[((size_t)z * ny + wave_wrap(y - r, ny)) * nx + x] +
                       now[((size_t)z * ny + wave_wrap(y + r, ny)) * nx + x]);
    laplace += c[r] * (now[((size_t)wave_wrap(z - r, nz) * ny + y) * nx + x] +
                       now[((size_t)wave_wrap(z + r, nz) * ny + y) * nx + x]);
  }
  next[here] = 2 * now[here] - before[here] + courant * courant * laplace;
}

#pragma hone kernel in(before[0 : nz][0 : ny][0 : nx], now[0 : nz][0 : ny][0 : nx]) \
    out(next[0 : nz][0 : ny][0 : nx]) problem(nx = 256, ny = 192, nz = 160) problem(nx = 67, ny = 41, nz = 29) \
    init(courant : uniform(0.1, 0.5)) stream(s)
void wave_step(const float* before, const float* now, float* next, int nx, int ny, int nz, float courant,
               cudaStream_t s) {
  if (nx == 0 || ny == 0 || nz == 0) {
    return;
  }
  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8, nz);
  wave_step_kernel<<<grid, block, 0, s>>>(before, now, next, nx, ny, nz, courant);
}
