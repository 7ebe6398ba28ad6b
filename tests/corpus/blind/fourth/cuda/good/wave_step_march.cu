// kernel: wave_step
// verdict: right
// standard: c++20
// tries: each thread walks through 16 planes with nine of them in registers; wrapped subscripts are computed once
#include <cuda_runtime.h>

static constexpr int WAVE_PLANES = 16;

static __global__ void __launch_bounds__(256)
    wave_step_march_kernel(const float* __restrict__ before, const float* __restrict__ now, float* __restrict__ next,
                           int nx, int ny, int nz, float courant) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) {
    return;
  }
  constexpr float c[5] = {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560};
  int from = blockIdx.z * WAVE_PLANES;
  int to = min(from + WAVE_PLANES, nz);
  size_t plane = (size_t)ny * nx;
  size_t here = (size_t)y * nx + x;
  size_t row = (size_t)y * nx;
  int left[4], right[4];
  size_t up[4], down[4];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    left[r] = wave_wrap(x - r - 1, nx);
    right[r] = wave_wrap(x + r + 1, nx);
    up[r] = (size_t)wave_wrap(y - r - 1, ny) * nx + x;
    down[r] = (size_t)wave_wrap(y + r + 1, ny) * nx + x;
  }
  float queue[9];  // the planes from z - 4 to z + 4
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    queue[r + 1] = now[wave_wrap(from + r - 4, nz) * plane + here];
  }
  int ahead = wave_wrap(from + 4, nz);
  for (int z = from; z < to; ++z) {
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      queue[r] = queue[r + 1];
    }
    queue[8] = now[ahead * plane + here];
    ahead = ahead + 1 == nz ? 0 : ahead + 1;
    const float* at = now + z * plane;
    const float* along = at + row;
    float laplace = 3 * c[0] * queue[4];
#pragma unroll
    for (int r = 1; r <= 4; ++r) {
      laplace += c[r] * (along[left[r - 1]] + along[right[r - 1]]);
      laplace += c[r] * (at[up[r - 1]] + at[down[r - 1]]);
      laplace += c[r] * (queue[4 - r] + queue[4 + r]);
    }
    next[z * plane + here] = 2 * queue[4] - before[z * plane + here] + courant * courant * laplace;
  }
}

void wave_step(const float* before, const float* now, float* next, int nx, int ny, int nz, float courant,
               cudaStream_t s) {
  if (nx == 0 || ny == 0 || nz == 0) {
    return;
  }
  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8, (nz + WAVE_PLANES - 1) / WAVE_PLANES);
  wave_step_march_kernel<<<grid, block, 0, s>>>(before, now, next, nx, ny, nz, courant);
}
