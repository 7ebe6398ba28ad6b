// kernel: compact
// verdict: verify
// tries: places in order within a block, blocks by who comes first: right as long as blocks start in their order
__global__ void step(const float* x, int* place, int* count, int n) {
  __shared__ int sums[257], base;
  const int i = blockIdx.x * 256 + threadIdx.x;
  const bool passes = i < n && x[i] > 0;
  sums[threadIdx.x + 1] = passes;
  if (threadIdx.x == 0) sums[0] = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int t = 0; t < 256; ++t) sums[t + 1] += sums[t];
    base = atomicAdd(count, sums[256]);
  }
  __syncthreads();
  if (i < n) place[i] = passes ? base + sums[threadIdx.x] : -1;
}
void compact(const float* x, int* place, int n) {
  if (n <= 0) return;
  int* count;
  cudaMallocAsync(&count, 4, 0);
  cudaMemsetAsync(count, 0, 4);
  step<<<(n + 255) / 256, 256>>>(x, place, count, n);
  cudaFreeAsync(count, 0);
}
