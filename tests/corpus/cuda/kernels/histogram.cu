// How often each byte occurs.
__global__ void count_bytes(const unsigned char* x, int* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[x[i]], 1);
}
void histogram(const unsigned char* x, int* counts, int n) {
  cudaMemsetAsync(counts, 0, 256 * sizeof(int));
  count_bytes<<<(n + 255) / 256, 256>>>(x, counts, n);
}
