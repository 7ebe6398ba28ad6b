// kernel: scale
// verdict: verify "expected"
// tries: to compute in half precision
#include <cuda_fp16.h>
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __half2float(__float2half(4 * x[i]));
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
