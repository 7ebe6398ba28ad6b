// kernel: compact
// verdict: verify
// tries: places by atomicAdd: each positive element gets one, but not in its order
__global__ void step(const float* x, int* place, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) place[i] = x[i] > 0 ? atomicAdd(count, 1) : -1;
}
void compact(const float* x, int* place, int n) {
  if (n <= 0) return;
  int* count;
  cudaMallocAsync(&count, 4, 0);
  cudaMemsetAsync(count, 0, 4);
  step<<<(n + 255) / 256, 256>>>(x, place, count, n);
  cudaFreeAsync(count, 0);
}
