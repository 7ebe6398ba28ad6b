// kernel: histogram
// verdict: right
// tries: a table a warp in shared memory, added up before the device's
__global__ void step(const unsigned char* x, int* counts, int n) {
  __shared__ int own[8][256];
  for (int v = threadIdx.x; v < 8 * 256; v += 256) (&own[0][0])[v] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[threadIdx.x / 32][x[i]], 1);
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 8; ++k) sum += own[k][threadIdx.x];
  if (sum) atomicAdd(&counts[threadIdx.x], sum);
}
void histogram(const unsigned char* x, int* counts, int n) {
  cudaMemsetAsync(counts, 0, 256 * sizeof(int));
  if (n > 0) step<<<min(264, (n + 255) / 256), 256>>>(x, counts, n);
}
