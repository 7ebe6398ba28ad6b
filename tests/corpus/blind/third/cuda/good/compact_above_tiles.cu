// kernel: compact_above
// tries: counts of tiles of 4096, one block that turns them into positions, and a kernel that writes each tile; nothing is left between calls
static __global__ void __launch_bounds__(256) tile_counts(const int* __restrict__ x, int* __restrict__ positions, int n,
                                                   int threshold) {
  __shared__ int shared[8];
  long long from = blockIdx.x * 4096ll;
  int own = 0;
  for (int i = threadIdx.x; i < 4096; i += 256) {
    own += from + i < n && x[from + i] > threshold;
  }
  own = __reduce_add_sync(0xffffffffu, own);
  if (threadIdx.x % 32 == 0) {
    shared[threadIdx.x / 32] = own;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int w = 0; w < 8; ++w) {
      sum += shared[w];
    }
    positions[blockIdx.x] = sum;
  }
}

// How many come before the calling thread's `own`, and how many there are in the block of 32 * warps threads.
template <int warps>
static __device__ int before_in_block(int own, int& all) {
  __shared__ int shared[warps];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = own;
  for (int step = 1; step < 32; step *= 2) {
    int other = __shfl_up_sync(0xffffffffu, sum, step);
    if (lane >= step) sum += other;
  }
  if (lane == 31) {
    shared[warp] = sum;
  }
  __syncthreads();
  int before = sum - own;
  all = 0;
  for (int w = 0; w < warps; ++w) {
    if (w < warp) before += shared[w];
    all += shared[w];
  }
  __syncthreads();
  return before;
}

static __global__ void __launch_bounds__(1024) tile_positions(int* positions, int* count, int tiles) {
  int base = 0;
  for (int from = 0; from < tiles; from += 1024) {
    int i = from + threadIdx.x;
    int own = i < tiles ? positions[i] : 0, all;
    int before = before_in_block<32>(own, all);
    if (i < tiles) {
      positions[i] = base + before;
    }
    base += all;
  }
  if (threadIdx.x == 0) {
    *count = base;
  }
}

static __global__ void __launch_bounds__(256) write_tiles(const int* __restrict__ x, int* __restrict__ kept,
                                                   const int* __restrict__ positions, int n, int threshold) {
  long long from = blockIdx.x * 4096ll;
  int base = positions[blockIdx.x];
  for (int round = 0; round < 16; ++round) {
    long long i = from + round * 256 + threadIdx.x;
    int value = i < n ? x[i] : 0, all;
    bool keep = i < n && value > threshold;
    int before = before_in_block<8>(keep, all);
    if (keep) {
      kept[base + before] = value;
    }
    base += all;
  }
}

void compact_above(const int* x, int* kept, int* count, int n, int threshold) {
  int tiles = n / 4096 + (n % 4096 != 0);
  int* positions = nullptr;
  cudaMallocAsync((void**)&positions, (tiles + 1) * sizeof(int), 0);
  if (tiles > 0) {
    tile_counts<<<tiles, 256>>>(x, positions, n, threshold);
  }
  tile_positions<<<1, 1024>>>(positions, count, tiles);
  if (tiles > 0) {
    write_tiles<<<tiles, 256>>>(x, kept, positions, n, threshold);
  }
  cudaFreeAsync(positions, 0);
}
