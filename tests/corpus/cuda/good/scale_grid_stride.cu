// kernel: scale
// verdict: right
// tries: a grid-stride loop
__global__ void step(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  step<<<264, 1024>>>(x, y, n);
}
