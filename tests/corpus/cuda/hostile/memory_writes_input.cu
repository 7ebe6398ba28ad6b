// kernel: scale
// verdict: verify "failed on the device" or "changed an input"
// tries: to change its input
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = 4 * x[i];
    ((float*)x)[i] = 0;
  }
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
