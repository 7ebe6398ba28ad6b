// kernel: scale
// verdict: verify
// tries: to take more memory than the device has and not to look whether it got it
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  float* t;
  cudaMalloc(&t, 1ull << 42);
  step<<<(n + 255) / 256, 256>>>(x, t, n);
  cudaMemcpyAsync(y, t, n * sizeof(float), cudaMemcpyDeviceToDevice);
}
