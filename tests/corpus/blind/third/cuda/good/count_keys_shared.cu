// kernel: count_keys
// tries: counts of a block in shared memory for up to 8192 bins, four keys at a time behind an unaligned beginning; more bins in global memory
#include <cstdint>

static __device__ void count_one(unsigned* own, int key, int bins) {
  if ((unsigned)key < (unsigned)bins) {
    atomicAdd(&own[key], 1u);
  }
}

static __global__ void __launch_bounds__(1024) count_shared(const int* __restrict__ keys, unsigned* __restrict__ counts, int n,
                                                     int bins, int head) {
  extern __shared__ unsigned own_counts[];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) {
    own_counts[b] = 0;
  }
  __syncthreads();
  long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  long long threads = gridDim.x * (long long)blockDim.x;
  int quads = (n - head) / 4;
  const int4* keys4 = (const int4*)(keys + head);
  for (long long i = thread; i < quads; i += threads) {
    int4 k = keys4[i];
    count_one(own_counts, k.x, bins);
    count_one(own_counts, k.y, bins);
    count_one(own_counts, k.z, bins);
    count_one(own_counts, k.w, bins);
  }
  if (thread < head) {
    count_one(own_counts, keys[thread], bins);
  }
  int tail = head + 4 * quads;
  if (thread < n - tail) {
    count_one(own_counts, keys[tail + thread], bins);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x) {
    if (own_counts[b] > 0) {
      atomicAdd(&counts[b], own_counts[b]);
    }
  }
}

void count_keys(const int* keys, unsigned* counts, int n, int bins, cudaStream_t s) {
  cudaMemsetAsync(counts, 0, (size_t)bins * sizeof(unsigned), s);
  if (n == 0 || bins == 0) return;
  if (bins > 8192) {
    count_each<<<(n + 255) / 256, 256, 0, s>>>(keys, counts, n, bins);
    return;
  }
  int head = (int)((16 - (uintptr_t)keys % 16) % 16 / sizeof(int));
  if (head > n) head = n;
  int blocks = n / 8192 + 1 < 264 ? n / 8192 + 1 : 264;
  count_shared<<<blocks, 1024, bins * sizeof(unsigned), s>>>(keys, counts, n, bins, head);
}
