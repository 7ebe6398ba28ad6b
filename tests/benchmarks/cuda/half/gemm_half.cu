// Matrix product in half precision, one thread for each element of C; sums are single, as cuBLAS has them.
#include <cuda_fp16.h>

__global__ void multiply_half(const __half* a, const __half* b, __half* c, int m, int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && column < n) {
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) {
      sum += __half2float(a[row * k + p]) * __half2float(b[p * n + column]);
    }
    c[row * n + column] = __float2half(sum);
  }
}

#pragma hone kernel in(a[0 : m * k], b[0 : k * n]) out(c[0 : m * n]) init(a : uniform(-1, 1), b : uniform(-1, 1)) \
    problem(m = 2048, n = 2048, k = 2048) problem(m = 1003, n = 517, k = 771)
extern "C" void gemm_half(const __half* a, const __half* b, __half* c, int m, int n, int k) {
  dim3 block(16, 16);
  dim3 grid((n + 15) / 16, (m + 15) / 16);
  multiply_half<<<grid, block>>>(a, b, c, m, n, k);
}
