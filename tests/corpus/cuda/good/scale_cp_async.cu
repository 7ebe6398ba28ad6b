// kernel: scale
// verdict: right
// tries: asynchronous copies to shared memory
#include <cuda_pipeline.h>
__global__ void step(const float* x, float* y, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) __pipeline_memcpy_async(&s[threadIdx.x], &x[i], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (i < n) y[i] = 4 * s[threadIdx.x];
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
