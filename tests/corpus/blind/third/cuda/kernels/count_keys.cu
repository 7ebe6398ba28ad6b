// How often each key occurs; keys that are no bin are left out. One thread for each key.

__global__ void count_each(const int* keys, unsigned* counts, int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int key = keys[i];
  if (key >= 0 && key < bins) {
    atomicAdd(&counts[key], 1u);
  }
}

#pragma hone kernel in(keys[0 : n]) out(counts[0 : bins]) init(keys : uniform(-2, bins + 1)) \
    problem(n = 12000000, bins = 256) problem(n = 100003, bins = 1000) stream(s)
void count_keys(const int* keys, unsigned* counts, int n, int bins, cudaStream_t s) {
  cudaMemsetAsync(counts, 0, (size_t)bins * sizeof(unsigned), s);
  if (n == 0) return;
  count_each<<<(n + 255) / 256, 256, 0, s>>>(keys, counts, n, bins);
}
