// kernel: smooth
// verdict: right
// tries: as many threads a block as the occupancy calculation advises
__global__ void step(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = i == 0 || i == n - 1 ? x[i] : fmaf(0.25f, x[i - 1] + x[i + 1], 0.5f * x[i]);
}
void smooth(const float* x, float* y, int n) {
  int blocks = 0, threads = 0;
  if (n <= 0 || cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, step) != cudaSuccess) return;
  step<<<min(4 * blocks, (n + threads - 1) / threads), threads>>>(x, y, n);
}
