// kernel: axpy
// verdict: verify
// tries: the factor in half precision: 0.1 becomes 0.09998
#include <cuda_fp16.h>
__global__ void step(const float* x, float* y, int n, __half alpha) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += __half2float(alpha) * x[i];
}
void axpy(const float* x, float* y, int n, float alpha) {
  if (n > 0) step<<<(n + 255) / 256, 256>>>(x, y, n, __float2half(alpha));
}
