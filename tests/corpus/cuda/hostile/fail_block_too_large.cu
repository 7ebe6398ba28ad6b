// kernel: scale
// verdict: verify "invalid"
// tries: to launch blocks of four thousand threads
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 4095) / 4096, 4096>>>(x, y, n);
}
