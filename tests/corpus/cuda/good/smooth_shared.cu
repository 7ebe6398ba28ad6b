// kernel: smooth
// verdict: right
// tries: a block's elements and a neighbour on either side in shared memory
__global__ void step(const float* x, float* y, int n) {
  __shared__ float near[258];
  const int i = blockIdx.x * 256 + threadIdx.x;
  near[threadIdx.x + 1] = i < n ? x[i] : 0;
  if (threadIdx.x == 0) near[0] = i > 0 ? x[i - 1] : 0;
  if (threadIdx.x == 255) near[257] = i + 1 < n ? x[i + 1] : 0;
  __syncthreads();
  if (i >= n) return;
  const int t = threadIdx.x + 1;
  y[i] = i == 0 || i == n - 1 ? near[t] : 0.25f * near[t - 1] + 0.5f * near[t] + 0.25f * near[t + 1];
}
void smooth(const float* x, float* y, int n) {
  if (n > 0) step<<<(n + 255) / 256, 256>>>(x, y, n);
}
