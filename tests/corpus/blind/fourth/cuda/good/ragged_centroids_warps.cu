// kernel: ragged_centroids
// verdict: right
// standard: c++20
// tries: a warp for each cluster, sums and the maximum by shuffles, one root for each cluster
#include <cuda_runtime.h>

static __device__ double centroid_sum(double mine) {
  for (int away = 16; away > 0; away /= 2) {
    mine += __shfl_xor_sync(0xffffffffu, mine, away);
  }
  return mine;
}

static __global__ void __launch_bounds__(256)
    ragged_centroids_warps_kernel(const int* __restrict__ offsets, const float* __restrict__ points,
                                  const float* __restrict__ weights, float* __restrict__ centres,
                                  float* __restrict__ radius, int clusters) {
  int c = blockIdx.x * 8 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (c >= clusters) {
    return;  // the whole warp
  }
  int from = offsets[c], to = offsets[c + 1];
  double sx = 0.0, sy = 0.0, sz = 0.0, mass = 0.0;
#pragma unroll 2
  for (int i = from + lane; i < to; i += 32) {
    const float* p = points + 3 * (size_t)i;
    float w = weights[i];
    sx += w * p[0];
    sy += w * p[1];
    sz += w * p[2];
    mass += w;
  }
  sx = centroid_sum(sx);
  sy = centroid_sum(sy);
  sz = centroid_sum(sz);
  mass = centroid_sum(mass);
  float x = 0.0f, y = 0.0f, z = 0.0f;
  if (from < to) {
    x = (float)(sx / mass);
    y = (float)(sy / mass);
    z = (float)(sz / mass);
  }
  float farthest = 0.0f;
#pragma unroll 2
  for (int i = from + lane; i < to; i += 32) {
    const float* p = points + 3 * (size_t)i;
    float dx = p[0] - x, dy = p[1] - y, dz = p[2] - z;
    farthest = fmaxf(farthest, dx * dx + dy * dy + dz * dz);
  }
  for (int away = 16; away > 0; away /= 2) {
    farthest = fmaxf(farthest, __shfl_xor_sync(0xffffffffu, farthest, away));
  }
  if (lane < 3) {
    centres[3 * (size_t)c + lane] = lane == 0 ? x : lane == 1 ? y : z;
  }
  if (lane == 3) {
    radius[c] = sqrtf(farthest);
  }
}

void ragged_centroids(const int* offsets, const float* points, const float* weights, float* centres, float* radius,
                      int clusters, cudaStream_t s) {
  if (clusters == 0) {
    return;
  }
  ragged_centroids_warps_kernel<<<(clusters + 7) / 8, 256, 0, s>>>(offsets, points, weights, centres, radius,
                                                                  clusters);
}
