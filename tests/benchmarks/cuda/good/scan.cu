// Sums of tiles, their prefix sums, then each tile on its own. The first element of each tile of y holds the tile's sum
// in between, so that no other memory is needed.

namespace {

constexpr int block = 256, own = 8, tile = block * own, sums_block = 1024;

__device__ float warp_prefix(float value) {  // inclusive
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const float before = __shfl_up_sync(0xffffffff, value, distance);
    if (lane >= distance) value += before;
  }
  return value;
}

// Inclusive over the block's threads; `total` is the block's sum. All threads must call it.
template <int threads>
__device__ float block_prefix(float value, float* shared, float& total) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_prefix(value);
  if (lane == 31) shared[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const float sums = warp_prefix(lane < threads / 32 ? shared[lane] : 0.0f);
    if (lane < threads / 32) shared[lane] = sums;
  }
  __syncthreads();
  total = shared[threads / 32 - 1];
  if (warp > 0) value += shared[warp - 1];
  __syncthreads();
  return value;
}

__global__ void __launch_bounds__(block) sum_tiles(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ float shared[block / 32];
  const int first = blockIdx.x * tile;
  float sum = 0.0f, total = 0.0f;
#pragma unroll
  for (int i = 0; i < own; ++i) {
    const int at = first + i * block + threadIdx.x;
    if (at < n) sum += x[at];
  }
  block_prefix<block>(sum, shared, total);
  if (threadIdx.x == 0) y[first] = total;
}

__global__ void __launch_bounds__(sums_block) scan_sums(float* y, int tiles) {
  __shared__ float shared[sums_block / 32];
  float carried = 0.0f;
  for (int start = 0; start < tiles; start += sums_block) {
    const int t = start + threadIdx.x;
    const float sum = t < tiles ? y[static_cast<size_t>(t) * tile] : 0.0f;
    float total = 0.0f;
    const float prefix = block_prefix<sums_block>(sum, shared, total);
    if (t < tiles) y[static_cast<size_t>(t) * tile] = carried + prefix - sum;
    carried += total;
  }
}

__global__ void __launch_bounds__(block) scan_tiles(const float* __restrict__ x, float* y, int n) {
  __shared__ float values[tile + tile / 32], shared[block / 32];
  const int first = blockIdx.x * tile;
  const float before = y[first];
  // Loaded and stored by neighbours, summed by one thread for eight: columns of a padded array.
#pragma unroll
  for (int i = 0; i < own; ++i) {
    const int at = i * block + threadIdx.x;
    values[at + at / 32] = first + at < n ? x[first + at] : 0.0f;
  }
  __syncthreads();
  float mine[own], sum = 0.0f, total = 0.0f;
#pragma unroll
  for (int i = 0; i < own; ++i) {
    const int at = threadIdx.x * own + i;
    mine[i] = values[at + at / 32];
    sum += mine[i];
  }
  float running = before + block_prefix<block>(sum, shared, total) - sum;
#pragma unroll
  for (int i = 0; i < own; ++i) {
    const int at = threadIdx.x * own + i;
    values[at + at / 32] = running;
    running += mine[i];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < own; ++i) {
    const int at = i * block + threadIdx.x;
    if (first + at < n) y[first + at] = values[at + at / 32];
  }
}

}  // namespace

void scan(const float* x, float* y, int n) {
  if (n <= 0) return;
  const int tiles = (n + tile - 1) / tile;
  sum_tiles<<<tiles, block>>>(x, y, n);
  scan_sums<<<1, sums_block>>>(y, tiles);
  scan_tiles<<<tiles, block>>>(x, y, n);
}
