// kernel: wave_step
// verdict: wrong
// standard: c++20
// tries: no divisions: subscripts that leave the box are brought back by one addition, and planes stay in registers
#include <cuda_runtime.h>

static __device__ __forceinline__ int wave_back(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

static __global__ void __launch_bounds__(256)
    wave_step_back_kernel(const float* __restrict__ before, const float* __restrict__ now, float* __restrict__ next,
                          int nx, int ny, int nz, float courant) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) {
    return;
  }
  constexpr float c[5] = {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560};
  int from = blockIdx.z * 16, to = min(from + 16, nz);
  size_t plane = (size_t)ny * nx, here = (size_t)y * nx + x;
  int aside[8], along[8];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    aside[r] = wave_wrap(x - r - 1, nx);
    aside[r + 4] = wave_wrap(x + r + 1, nx);
    along[r] = wave_wrap(y - r - 1, ny);
    along[r + 4] = wave_wrap(y + r + 1, ny);
  }
  float queue[9];
#pragma unroll
  for (int r = 0; r < 9; ++r) {
    // The box may have fewer planes than the queue, so look at the remainder once.
    queue[r] = now[wave_wrap(from + r - 4, nz) * plane + here];
  }
  for (int z = from; z < to; ++z) {
    const float* at = now + z * plane;
    float laplace = 3 * c[0] * queue[4];
#pragma unroll
    for (int r = 1; r <= 4; ++r) {
      laplace += c[r] * (at[(size_t)y * nx + aside[r - 1]] + at[(size_t)y * nx + aside[r + 3]]);
      laplace += c[r] * (at[(size_t)along[r - 1] * nx + x] + at[(size_t)along[r + 3] * nx + x]);
      laplace += c[r] * (queue[4 - r] + queue[4 + r]);
    }
    next[z * plane + here] = 2 * queue[4] - before[z * plane + here] + courant * courant * laplace;
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      queue[r] = queue[r + 1];
    }
    if (z + 1 < to) {
      queue[8] = now[wave_back(z + 5, nz) * plane + here];
    }
  }
}

void wave_step(const float* before, const float* now, float* next, int nx, int ny, int nz, float courant,
               cudaStream_t s) {
  if (nx == 0 || ny == 0 || nz == 0) {
    return;
  }
  dim3 grid((nx + 31) / 32, (ny + 7) / 8, (nz + 15) / 16);
  wave_step_back_kernel<<<grid, dim3(32, 8), 0, s>>>(before, now, next, nx, ny, nz, courant);
}
