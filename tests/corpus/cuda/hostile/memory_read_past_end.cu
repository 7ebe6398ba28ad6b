// kernel: scale
// verdict: verify "Invalid __global__ read" or "dependent" or "is nan"
// tries: to read one element too many
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i] + 0 * x[i + 1];
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
