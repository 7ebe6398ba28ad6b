// kernel: compact
// verdict: right
// tries: CUB's scan of a block, block after block in one launch
#include <cub/block/block_scan.cuh>
__global__ void step(const float* x, int* place, int n) {
  using Scan = cub::BlockScan<int, 1024>;
  __shared__ typename Scan::TempStorage room;
  int base = 0;
  for (int b = 0; b < n; b += 1024) {
    const int i = b + threadIdx.x, passes = i < n && x[i] > 0;
    int before, all;
    Scan(room).ExclusiveSum(passes, before, all);
    if (i < n) place[i] = passes ? base + before : -1;
    base += all;
    __syncthreads();
  }
}
void compact(const float* x, int* place, int n) {
  if (n > 0) step<<<1, 1024>>>(x, place, n);
}
