// kernel: scale
// verdict: verify
// tries: to wait at a barrier that not all threads reach
__global__ void step(const float* x, float* y, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  if (threadIdx.x < 100) __syncthreads();
  const int t = threadIdx.x ^ 37, j = blockIdx.x * 256 + t;
  if (j < n) y[j] = 4 * s[t];
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
