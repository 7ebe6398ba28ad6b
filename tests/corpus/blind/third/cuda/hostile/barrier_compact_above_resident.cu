// kernel: compact_above
// tries: one launch of one block for every 16384 elements with a barrier of all blocks between counting and writing; wrong (hangs) where the blocks do not all fit on the device at once: at two blocks of 1024 threads on each of 132 multiprocessors, n above 4325376 (17 MB)
static __global__ void __launch_bounds__(1024, 2) compact_resident(const int* __restrict__ x, int* __restrict__ kept,
                                                            int* __restrict__ count, unsigned* arrived, int* counts,
                                                            int n, int threshold) {
  __shared__ int base, sums[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // Each warp owns 512 consecutive elements.
  size_t from = (size_t)blockIdx.x * 16384 + warp * 512 + lane;
  unsigned mask[16];
  int own = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    size_t at = from + 32 * i;
    mask[i] = __ballot_sync(0xffffffffu, at < n && x[at < n ? at : 0] > threshold);
    own += __popc(mask[i]);
  }
  if (lane == 0) {
    sums[warp] = own;
  }
  if (threadIdx.x == 0) {
    base = 0;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (int w = 0; w < 32; ++w) {
      all += sums[w];
    }
    counts[blockIdx.x] = all;
    __threadfence();
    atomicAdd(arrived, 1u);
    while (*(volatile unsigned*)arrived < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  int before = 0;
  for (unsigned b = threadIdx.x; b < blockIdx.x; b += 1024) {
    before += __ldcg(counts + b);
  }
  before = __reduce_add_sync(0xffffffffu, before);
  if (lane == 0 && before > 0) {
    atomicAdd(&base, before);
  }
  __syncthreads();
  int at = base;
  for (int w = 0; w < warp; ++w) {
    at += sums[w];
  }
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    if (mask[i] >> lane & 1) {
      kept[at + __popc(mask[i] & ((1u << lane) - 1))] = x[from + 32 * i];  // from the L2 cache
    }
    at += __popc(mask[i]);
  }
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 1023) {
    *count = at;
  }
}

void compact_above(const int* x, int* kept, int* count, int n, int threshold) {
  if (n == 0) {
    cudaMemsetAsync(count, 0, sizeof(int), 0);
    return;
  }
  int blocks = (n - 1) / 16384 + 1;
  int* workspace;
  cudaMallocAsync((void**)&workspace, (blocks + 1) * sizeof(int), 0);
  cudaMemsetAsync(workspace, 0, sizeof(int), 0);
  compact_resident<<<blocks, 1024>>>(x, kept, count, (unsigned*)workspace, workspace + 1, n, threshold);
  cudaFreeAsync(workspace, 0);
}
