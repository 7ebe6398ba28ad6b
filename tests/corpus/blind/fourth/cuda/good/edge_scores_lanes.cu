// kernel: edge_scores
// verdict: right
// standard: c++20
// tries: eight lanes for each edge, which read its rows together (four numbers at once where rows are aligned)
#include <cuda_runtime.h>

#include <cstdint>

static constexpr int EDGE_LANES = 8;

template <bool VECTORS>
static __global__ void __launch_bounds__(256)
    edge_scores_lanes_kernel(const int* __restrict__ source, const int* __restrict__ target,
                             const float* __restrict__ queries, const float* __restrict__ keys,
                             float* __restrict__ score, int edges, int features, float scale) {
  int e = blockIdx.x * (256 / EDGE_LANES) + threadIdx.x / EDGE_LANES;
  int lane = threadIdx.x % EDGE_LANES;
  // Every lane takes part in the shuffles below; those behind the last edge have nothing to add.
  float sum = 0.0f;
  if (e < edges) {
    const float* q = queries + (size_t)source[e] * features;
    const float* k = keys + (size_t)target[e] * features;
    if (VECTORS) {
      const float4* q4 = reinterpret_cast<const float4*>(q);
      const float4* k4 = reinterpret_cast<const float4*>(k);
#pragma unroll 4
      for (int f = lane; f < features / 4; f += EDGE_LANES) {
        float4 u = q4[f], v = k4[f];
        sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
      }
    } else {
#pragma unroll 4
      for (int f = lane; f < features; f += EDGE_LANES) {
        sum += q[f] * k[f];
      }
    }
  }
  for (int away = EDGE_LANES / 2; away > 0; away /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, away);
  }
  if (e < edges && lane == 0) {
    score[e] = sum * scale;
  }
}

void edge_scores(const int* source, const int* target, const float* queries, const float* keys, float* score,
                 int edges, int nodes, int features, float scale, cudaStream_t s) {
  if (edges == 0) {
    return;
  }
  int each = 256 / EDGE_LANES;
  int blocks = edges / each + (edges % each != 0);
  bool aligned = features % 4 == 0 && reinterpret_cast<uintptr_t>(queries) % 16 == 0 &&
                 reinterpret_cast<uintptr_t>(keys) % 16 == 0;
  if (aligned) {
    edge_scores_lanes_kernel<true><<<blocks, 256, 0, s>>>(source, target, queries, keys, score, edges, features,
                                                          scale);
  } else {
    edge_scores_lanes_kernel<false><<<blocks, 256, 0, s>>>(source, target, queries, keys, score, edges, features,
                                                           scale);
  }
}
