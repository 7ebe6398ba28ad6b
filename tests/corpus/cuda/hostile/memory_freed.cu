// kernel: scale
// verdict: verify
// tries: to use memory that it has freed
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
void scale(const float* x, float* y, int n) {
  float* t;
  cudaMalloc(&t, n * sizeof(float));
  cudaFree(t);
  step<<<(n + 255) / 256, 256>>>(x, t, n);
  cudaMemcpyAsync(y, t, n * sizeof(float), cudaMemcpyDeviceToDevice);
}
