// kernel: deposit_charge
// verdict: wrong
// standard: c++20
// tries: a grid of its own for each block in shared memory, larger grids in parts of 6144 cells
#include <cuda_runtime.h>

static constexpr int DEPOSIT_PART = 6144;

static __global__ void __launch_bounds__(512)
    deposit_parts_kernel(const float* __restrict__ x, const float* __restrict__ y, const float* __restrict__ charge,
                         double* grid, int particles, int width, int height) {
  __shared__ double part[DEPOSIT_PART];
  int from = blockIdx.y * DEPOSIT_PART;
  int count = min(DEPOSIT_PART, width * height - from);
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    part[i] = 0.0;
  }
  __syncthreads();
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < particles; p += gridDim.x * blockDim.x) {
    float fx = x[p] * (width - 1), fy = y[p] * (height - 1);
    int ix = min((int)fx, width - 2), iy = min((int)fy, height - 2);
    float tx = fx - ix, ty = fy - iy, q = charge[p];
    int corner = iy * width + ix - from;
    float share[4] = {q * (1 - tx) * (1 - ty), q * tx * (1 - ty), q * (1 - tx) * ty, q * tx * ty};
    int cell[4] = {corner, corner + 1, corner + width, corner + width + 1};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (cell[k] >= 0 && cell[k] < count) {
        atomicAdd(&part[cell[k]], share[k]);
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    if (part[i] != 0.0) {
      atomicAdd(&grid[from + i], part[i]);
    }
  }
}

void deposit_charge(const float* x, const float* y, const float* charge, double* grid, int particles, int width,
                    int height, cudaStream_t s) {
  int cells = width * height;
  cudaMemset(grid, 0, sizeof(double) * cells);
  if (particles > 0) {
    dim3 blocks(min((particles + 1023) / 1024, 264), (cells + DEPOSIT_PART - 1) / DEPOSIT_PART);
    deposit_parts_kernel<<<blocks, 512, 0, s>>>(x, y, charge, grid, particles, width, height);
  }
}
