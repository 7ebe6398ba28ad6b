// kernel: scale
// verdict: verify "invalid"
// tries: to ask for more shared memory than there is
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256, 400 << 10>>>(x, y, n);
}
