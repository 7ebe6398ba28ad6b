// kernel: scale
// verdict: verify "invalid"
// tries: to launch a grid that no device takes
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  step<<<dim3(1, 100000), 256>>>(x, y, n);
}
