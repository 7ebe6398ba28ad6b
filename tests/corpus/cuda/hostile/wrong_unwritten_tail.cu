// kernel: scale
// verdict: verify "was not written"
// tries: to leave the last element as it was
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
