// kernel: scale
// verdict: verify "failed on the device: device-side assert"
// tries: to fail an assertion on the device
#include <assert.h>
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < 0);
  y[i] = 0;
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
