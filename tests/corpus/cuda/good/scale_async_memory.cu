// kernel: scale
// verdict: right
// tries: memory of its own, in the order of the stream
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  float* t;
  cudaMallocAsync(&t, n * sizeof(float), 0);
  step<<<(n + 255) / 256, 256>>>(x, t, n);
  cudaMemcpyAsync(y, t, n * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFreeAsync(t, 0);
}
