// kernel: scale
// verdict: verify "did not end within"
// tries: never to return
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  for (volatile int k = 0; k >= 0; k = 1) {
  }
}
