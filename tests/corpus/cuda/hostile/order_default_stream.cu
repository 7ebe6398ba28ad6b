// kernel: relax
// verdict: verify "not in the order of its caller's stream"
// tries: to work on the default stream where another is named
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5f * (y[i] + x[i]);
}
void relax(const float* x, float* y, int n, cudaStream_t) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
