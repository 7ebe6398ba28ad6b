// kernel: row_top8
// verdict: right
// standard: c++20
// tries: a warp for each row: coalesced reads, votes find what is above the eighth, lanes shift to take it in
#include <cuda_runtime.h>

static __global__ void __launch_bounds__(128)
    row_top8_vote_kernel(const float* __restrict__ x, float* __restrict__ values, int* __restrict__ places, int rows,
                         int columns) {
  constexpr unsigned ALL = 0xffffffffu;
  constexpr int AHEAD = 4;
  int r = blockIdx.x * 4 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (r >= rows) {
    return;  // the whole warp
  }
  const float* row = x + (size_t)r * columns;
  float best = -INFINITY;  // lane t has place t of the list
  int where = -1;
  float least = -INFINITY;  // the last of the list, in all lanes
  for (int from = 0; from < columns; from += 32 * AHEAD) {
    float value[AHEAD];
#pragma unroll
    for (int a = 0; a < AHEAD; ++a) {
      int c = from + 32 * a + lane;
      value[a] = c < columns ? row[c] : -INFINITY;
    }
#pragma unroll
    for (int a = 0; a < AHEAD; ++a) {
      unsigned above = __ballot_sync(ALL, value[a] > least);
      while (above != 0) {
        // In the columns' order, so that the first of equal ones stays in front.
        int from_lane = __ffs(above) - 1;
        float taken = __shfl_sync(ALL, value[a], from_lane);
        int place = __popc(__ballot_sync(ALL, best >= taken && lane < TOP));
        float shifted = __shfl_up_sync(ALL, best, 1);
        int shifted_where = __shfl_up_sync(ALL, where, 1);
        if (lane == place) {
          best = taken;
          where = from + 32 * a + from_lane;
        } else if (lane > place) {
          best = shifted;
          where = shifted_where;
        }
        least = __shfl_sync(ALL, best, TOP - 1);
        unsigned later = from_lane == 31 ? 0u : ALL << (from_lane + 1);
        above = __ballot_sync(ALL, value[a] > least) & later;
      }
    }
  }
  if (lane < TOP) {
    values[(size_t)r * TOP + lane] = best;
    places[(size_t)r * TOP + lane] = where;
  }
}

void row_top8(const float* x, float* values, int* places, int rows, int columns, cudaStream_t s) {
  if (rows == 0) {
    return;
  }
  row_top8_vote_kernel<<<(rows + 3) / 4, 128, 0, s>>>(x, values, places, rows, columns);
}
