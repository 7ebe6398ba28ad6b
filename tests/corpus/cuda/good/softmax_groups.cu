// kernel: softmax
// verdict: right
// tries: cooperative groups, a tile of sixteen a row
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
__global__ void step(const float* x, float* y, int h, int w) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int row = blockIdx.x * 16 + tile.meta_group_rank();
  if (row >= h) return;
  const float* from = x + (long long)row * w;
  float most = from[0], sum = 0;
  for (int i = tile.thread_rank(); i < w; i += 16) most = fmaxf(most, from[i]);
  most = cg::reduce(tile, most, cg::greater<float>());
  for (int i = tile.thread_rank(); i < w; i += 16) sum += expf(from[i] - most);
  sum = cg::reduce(tile, sum, cg::plus<float>());
  for (int i = tile.thread_rank(); i < w; i += 16) y[(long long)row * w + i] = expf(from[i] - most) / sum;
}
void softmax(const float* x, float* y, int h, int w) {
  if (h > 0 && w > 0) step<<<(h + 15) / 16, 256>>>(x, y, h, w);
}
