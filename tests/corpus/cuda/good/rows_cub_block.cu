// kernel: rows
// verdict: right
// tries: CUB's reduction of a block
#include <cub/block/block_reduce.cuh>
__global__ void step(const float* x, float* sums, int h, int w) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage room;
  float sum = 0;
  for (int i = threadIdx.x; i < w; i += 128) sum += x[blockIdx.x * w + i];
  sum = Reduce(room).Sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
void rows(const float* x, float* sums, int h, int w) {
  step<<<h, 128>>>(x, sums, h, w);
}
