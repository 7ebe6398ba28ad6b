// kernel: compact_above
// tries: one pass with decoupled look-back over tiles of 2048, tiles by ticket; wrong where the workspace is not zero (memory of an earlier call, other data): only the ticket is cleared, and a stale status word is taken for a finished tile
// Bits 32 and 33 of a tile's status say what its low half is: 1 the tile's own count, 2 that of all tiles up to it.
static __global__ void __launch_bounds__(256) compact_lookback(const int* __restrict__ x, int* __restrict__ kept,
                                                        int* __restrict__ count, unsigned* ticket,
                                                        unsigned long long* status, int tiles, int n, int threshold) {
  __shared__ int tile_of_block, before_tile;
  __shared__ int sums[8];
  if (threadIdx.x == 0) {
    tile_of_block = atomicAdd(ticket, 1u);
  }
  __syncthreads();
  int tile = tile_of_block, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  size_t from = (size_t)tile * 2048 + warp * 256 + lane;
  int value[8];
  unsigned mask[8];
  int own = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    bool inside = from + 32 * i < n;
    value[i] = inside ? x[from + 32 * i] : 0;
    mask[i] = __ballot_sync(0xffffffffu, inside && value[i] > threshold);
    own += __popc(mask[i]);
  }
  if (lane == 0) {
    sums[warp] = own;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (int w = 0; w < 8; ++w) {
      all += sums[w];
    }
    volatile unsigned long long* words = status;
    words[tile] = (tile == 0 ? 2ull : 1ull) << 32 | (unsigned)all;
    int before = 0;
    for (int t = tile - 1; t >= 0; --t) {
      unsigned long long word;
      do {
        word = words[t];
      } while (word >> 32 == 0);
      before += (int)(unsigned)word;
      if (word >> 32 == 2) break;
    }
    words[tile] = 2ull << 32 | (unsigned)(before + all);
    before_tile = before;
    if (tile == tiles - 1) {
      *count = before + all;
    }
  }
  __syncthreads();
  int at = before_tile;
  for (int w = 0; w < warp; ++w) {
    at += sums[w];
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (mask[i] >> lane & 1) {
      kept[at + __popc(mask[i] & ((1u << lane) - 1))] = value[i];
    }
    at += __popc(mask[i]);
  }
}

void compact_above(const int* x, int* kept, int* count, int n, int threshold) {
  if (n == 0) {
    cudaMemsetAsync(count, 0, sizeof(int), 0);
    return;
  }
  int tiles = (n - 1) / 2048 + 1;
  unsigned long long* workspace;
  cudaMallocAsync((void**)&workspace, (tiles + 1) * sizeof(unsigned long long), 0);
  cudaMemsetAsync(workspace, 0, sizeof(unsigned), 0);  // the ticket; each tile writes its own status
  compact_lookback<<<tiles, 256>>>(x, kept, count, (unsigned*)workspace, workspace + 1, tiles, n, threshold);
  cudaFreeAsync(workspace, 0);
}
