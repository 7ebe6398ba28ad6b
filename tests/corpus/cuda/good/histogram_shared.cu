// kernel: histogram
// verdict: right
// tries: counts in shared memory, a grid-stride loop
__global__ void step(const unsigned char* x, int* counts, int n) {
  __shared__ int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[x[i]], 1);
  __syncthreads();
  if (own[threadIdx.x]) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
void histogram(const unsigned char* x, int* counts, int n) {
  cudaMemsetAsync(counts, 0, 256 * sizeof(int));
  step<<<264, 256>>>(x, counts, n);
}
