// kernel: advantages
// verdict: right
// standard: c++20
// tries: a warp for each environment: 32 steps are read at once, the recurrence runs over shuffles in the same order
#include <cuda_runtime.h>

static __global__ void __launch_bounds__(128)
    advantages_warps_kernel(const float* __restrict__ rewards, const float* __restrict__ values,
                            const unsigned char* __restrict__ done, float* __restrict__ advantage, int environments,
                            int steps, float gamma, float lambda) {
  constexpr unsigned ALL = 0xffffffffu;
  int e = blockIdx.x * 4 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (e >= environments) {
    return;  // the whole warp
  }
  const float* v = values + (size_t)e * (steps + 1);
  float decay = gamma * lambda;
  float running = 0.0f;
  // Lane 0 has the last step of a group, since the recurrence runs backwards.
  for (int last = steps - 1; last >= 0; last -= 32) {
    int t = last - lane;
    size_t i = (size_t)e * steps + t;
    bool ends = false;
    float change = 0.0f;
    if (t >= 0) {
      ends = done[i] != 0;
      change = ends ? rewards[i] - v[t] : rewards[i] + gamma * v[t + 1] - v[t];
    }
    unsigned ended = __ballot_sync(ALL, ends);
    float mine = 0.0f;
#pragma unroll
    for (int l = 0; l < 32; ++l) {
      float step = __shfl_sync(ALL, change, l);
      running = ended >> l & 1 ? step : step + decay * running;
      if (lane == l) {
        mine = running;
      }
    }
    if (t >= 0) {
      advantage[i] = mine;
    }
  }
}

void advantages(const float* rewards, const float* values, const unsigned char* done, float* advantage,
                int environments, int steps, float gamma, float lambda, cudaStream_t s) {
  if (environments == 0) {
    return;
  }
  advantages_warps_kernel<<<(environments + 3) / 4, 128, 0, s>>>(rewards, values, done, advantage, environments,
                                                                steps, gamma, lambda);
}
