// Sums of the rows of a matrix of half precision: the headers of half precision and of cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

namespace groups = cooperative_groups;

#pragma hone kernel in(x[0 : rows * columns]) out(sums[0 : rows]) problem(rows = 4096, columns = 1024) \
    launch(grid(rows), block(128)) tolerance(rtol = 1e-3)
__global__ void sums_of_rows(const __half* x, float* sums, int rows, int columns) {
  __shared__ float partial[4];
  const groups::thread_block block = groups::this_thread_block();
  const auto warp = groups::tiled_partition<32>(block);
  if (blockIdx.x >= rows) return;
  float sum = 0.0f;
  for (int c = block.thread_rank(); c < columns; c += block.size())
    sum += __half2float(x[blockIdx.x * columns + c]);
  sum = groups::reduce(warp, sum, groups::plus<float>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0) sums[blockIdx.x] = partial[0] + partial[1] + partial[2] + partial[3];
}
