// A stencil whose border stays itself.
__global__ void mean_of_three(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = i == 0 || i == n - 1 ? x[i] : 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}
void smooth(const float* x, float* y, int n) {
  if (n > 0) mean_of_three<<<(n + 255) / 256, 256>>>(x, y, n);
}
