// kernel: scale
// verdict: verify
// tries: to write behind its shared memory
__global__ void step(const float* x, float* y, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x + 65536] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) y[i] = 4 * s[threadIdx.x + 65536];
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
