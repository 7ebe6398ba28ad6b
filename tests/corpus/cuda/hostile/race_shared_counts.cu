// kernel: histogram
// verdict: verify
// tries: to count in shared memory without atomics
__global__ void step(const unsigned char* x, int* counts, int n) {
  __shared__ int own[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  own[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) ++own[x[i]];
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
void histogram(const unsigned char* x, int* counts, int n) {
  cudaMemsetAsync(counts, 0, 256 * sizeof(int));
  step<<<(n + 255) / 256, 256>>>(x, counts, n);
}
