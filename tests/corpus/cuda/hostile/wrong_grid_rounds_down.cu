// kernel: scale
// verdict: verify "was not written" or "failed on the device"
// tries: to leave out the last, incomplete block
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  step<<<n / 256, 256>>>(x, y, n);
}
