// kernel: scale
// verdict: verify "past the end of y"
// tries: to write one element too many
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = 4 * x[min(i, n - 1)];
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
