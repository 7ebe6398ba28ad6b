// kernel: histogram
// verdict: verify
// tries: a byte a value and thread: a thread that meets 256 equal bytes has counted none
__global__ void step(const unsigned char* x, int* counts, int n) {
  __shared__ unsigned char own[256][32];
  for (int v = 0; v < 256; ++v) own[v][threadIdx.x] = 0;
  const int stride = gridDim.x * 32;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += stride) ++own[x[i]][threadIdx.x];
  __syncwarp();
  for (int v = threadIdx.x; v < 256; v += 32) {
    int sum = 0;
    for (int t = 0; t < 32; ++t) sum += own[v][t];
    if (sum) atomicAdd(&counts[v], sum);
  }
}
void histogram(const unsigned char* x, int* counts, int n) {
  cudaMemsetAsync(counts, 0, 256 * sizeof(int));
  step<<<128, 32>>>(x, counts, n);
}
