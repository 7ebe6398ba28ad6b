// Halfway from y to x, on a stream that the caller names.
__global__ void step_halfway(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5f * (y[i] + x[i]);
}
void relax(const float* x, float* y, int n, cudaStream_t stream) {
  step_halfway<<<(n + 255) / 256, 256, 0, stream>>>(x, y, n);
}
