// kernel: scale
// verdict: right
// tries: a cluster of two blocks
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) step(const float* x, float* y, int n) {
  __shared__ float s[256];
  const auto cluster = cooperative_groups::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  cluster.sync();
  const unsigned other = cluster.block_rank() ^ 1;
  const float* theirs = cluster.map_shared_rank(s, other);
  const int j = (blockIdx.x ^ 1) * blockDim.x + threadIdx.x;
  if (j < n) y[j] = 4 * theirs[threadIdx.x];
  cluster.sync();
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 511) / 512 * 2, 256>>>(x, y, n);
}
