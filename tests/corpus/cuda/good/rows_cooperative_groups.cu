// kernel: rows
// verdict: right
// tries: a tile of a warp and its reduction
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
__global__ void step(const float* x, float* sums, int h, int w) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int row = blockIdx.x * (blockDim.x / 32) + tile.meta_group_rank();
  if (row >= h) return;
  float sum = 0;
  for (int i = tile.thread_rank(); i < w; i += 32) sum += x[row * w + i];
  sum = cg::reduce(tile, sum, cg::plus<float>());
  if (tile.thread_rank() == 0) sums[row] = sum;
}
void rows(const float* x, float* sums, int h, int w) {
  step<<<(h + 7) / 8, 256>>>(x, sums, h, w);
}
