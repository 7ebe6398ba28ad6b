// kernel: scale
// verdict: right
// tries: a block size that the runtime proposes
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  int grid = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, step);
  step<<<(n + block - 1) / block, block>>>(x, y, n);
}
