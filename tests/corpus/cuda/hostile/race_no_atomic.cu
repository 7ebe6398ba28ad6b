// kernel: histogram
// verdict: verify "expected"
// tries: to count without atomics
__global__ void step(const unsigned char* x, int* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++counts[x[i]];
}
void histogram(const unsigned char* x, int* counts, int n) {
  cudaMemsetAsync(counts, 0, 256 * sizeof(int));
  step<<<(n + 255) / 256, 256>>>(x, counts, n);
}
