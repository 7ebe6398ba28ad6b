// kernel: edge_scores
// verdict: wrong
// standard: c++20
// tries: eight lanes for each edge and loads of four numbers, where the rows are aligned for that
#include <cuda_runtime.h>

#include <cstdint>

static __global__ void __launch_bounds__(256)
    edge_scores_four_kernel(const int* __restrict__ source, const int* __restrict__ target,
                            const float* __restrict__ queries, const float* __restrict__ keys,
                            float* __restrict__ score, int edges, int features, float scale, bool four) {
  int e = blockIdx.x * 32 + threadIdx.x / 8;
  int lane = threadIdx.x % 8;
  float sum = 0.0f;
  if (e < edges) {
    const float* q = queries + (size_t)source[e] * features;
    const float* k = keys + (size_t)target[e] * features;
    if (four) {
      for (int f = 4 * lane; f < features; f += 32) {
        float4 u = *reinterpret_cast<const float4*>(q + f);
        float4 v = *reinterpret_cast<const float4*>(k + f);
        sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
      }
    } else {
      for (int f = lane; f < features; f += 8) {
        sum += q[f] * k[f];
      }
    }
  }
  sum += __shfl_xor_sync(0xffffffffu, sum, 4);
  sum += __shfl_xor_sync(0xffffffffu, sum, 2);
  sum += __shfl_xor_sync(0xffffffffu, sum, 1);
  if (e < edges && lane == 0) {
    score[e] = sum * scale;
  }
}

void edge_scores(const int* source, const int* target, const float* queries, const float* keys, float* score,
                 int edges, int nodes, int features, float scale, cudaStream_t s) {
  if (edges == 0) {
    return;
  }
  // Both tables have the same shape: rows of whole groups of four begin where the first one does.
  bool four = features % 4 == 0 && reinterpret_cast<uintptr_t>(queries) % 16 == 0;
  edge_scores_four_kernel<<<(edges + 31) / 32, 256, 0, s>>>(source, target, queries, keys, score, edges, features,
                                                           scale, four);
}
