// kernel: advantages
// verdict: wrong
// standard: c++20
// tries: a warp for each environment: scans of 32 steps with the recurrence's linear maps, the carry added behind them
#include <cuda_runtime.h>

static __global__ void __launch_bounds__(128)
    advantages_scan_kernel(const float* __restrict__ rewards, const float* __restrict__ values,
                           const unsigned char* __restrict__ done, float* __restrict__ advantage, int environments,
                           int steps, float gamma, float lambda) {
  constexpr unsigned ALL = 0xffffffffu;
  int e = blockIdx.x * 4 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (e >= environments) {
    return;
  }
  const float* v = values + (size_t)e * (steps + 1);
  float carry = 0.0f;
  for (int last = steps - 1; last >= 0; last -= 32) {
    int t = last - lane;
    size_t i = (size_t)e * steps + t;
    // running = offset + factor * (what it is behind this group)
    float offset = 0.0f, factor = 0.0f;
    bool cut = true;
    if (t >= 0) {
      cut = done[i] != 0;
      offset = cut ? rewards[i] - v[t] : rewards[i] + gamma * v[t + 1] - v[t];
      factor = cut ? 0.0f : gamma * lambda;
    }
#pragma unroll
    for (int away = 1; away < 32; away *= 2) {
      float earlier_offset = __shfl_up_sync(ALL, offset, away);
      float earlier_factor = __shfl_up_sync(ALL, factor, away);
      bool earlier_cut = __shfl_up_sync(ALL, (int)cut, away);
      if (lane >= away && !cut) {  // an end of an episode takes nothing over, not even NaN
        offset += factor * earlier_offset;
        factor *= earlier_factor;
        cut = earlier_cut;
      }
    }
    float running = offset + factor * carry;
    if (t >= 0) {
      advantage[i] = running;
    }
    carry = __shfl_sync(ALL, running, 31);
  }
}

void advantages(const float* rewards, const float* values, const unsigned char* done, float* advantage,
                int environments, int steps, float gamma, float lambda, cudaStream_t s) {
  if (environments == 0) {
    return;
  }
  advantages_scan_kernel<<<(environments + 3) / 4, 128, 0, s>>>(rewards, values, done, advantage, environments, steps,
                                                               gamma, lambda);
}
