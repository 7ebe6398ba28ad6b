// How often each byte occurs: one atomic addition in global memory for each.

__global__ void count_bytes(const unsigned char* x, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&bins[x[i]], 1);
  }
}

#pragma hone kernel in(x[0 : n]) out(bins[0 : 256]) problem(n = 1 << 27) problem(n = 9999991)
void histogram(const unsigned char* x, int* bins, int n) {
  cudaMemsetAsync(bins, 0, 256 * sizeof(int));
  count_bytes<<<(n + 255) / 256, 256>>>(x, bins, n);
}
