// kernel: row_top8
// verdict: wrong
// standard: c++20
// tries: a warp for each row with keys of 64 bits (value, then the earlier column), so that ties need no care
#include <cuda_runtime.h>

// Unsigned keys in the order of the numbers; of equal numbers the earlier column is larger.
static __device__ unsigned long long top8_key(float value, int column) {
  if (!(value > -INFINITY)) {
    return 0;  // nothing, or not a number
  }
  unsigned bits = __float_as_uint(value);
  bits = bits >> 31 ? ~bits : bits | 0x80000000u;
  return (unsigned long long)bits << 32 | ~(unsigned)column;
}

static __global__ void __launch_bounds__(128)
    row_top8_keys_kernel(const float* __restrict__ x, float* __restrict__ values, int* __restrict__ places, int rows,
                         int columns) {
  int r = blockIdx.x * 4 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (r >= rows) {
    return;
  }
  const float* row = x + (size_t)r * columns;
  unsigned long long best[TOP] = {};
#pragma unroll 4
  for (int c = lane; c < columns; c += 32) {
    unsigned long long key = top8_key(row[c], c);
    if (key > best[TOP - 1]) {
#pragma unroll
      for (int t = 0; t < TOP; ++t) {
        unsigned long long larger = max(best[t], key);
        key = min(best[t], key);
        best[t] = larger;
      }
    }
  }
  for (int t = 0; t < TOP; ++t) {
    unsigned long long top = best[0];
    for (int away = 16; away > 0; away /= 2) {
      top = max(top, __shfl_xor_sync(0xffffffffu, top, away));
    }
    if (lane == 0) {
      unsigned bits = (unsigned)(top >> 32);
      bits = bits >> 31 ? bits & 0x7fffffffu : ~bits;
      values[(size_t)r * TOP + t] = top == 0 ? -INFINITY : __uint_as_float(bits);
      places[(size_t)r * TOP + t] = top == 0 ? -1 : (int)~(unsigned)top;
    }
    if (top != 0 && best[0] == top) {
#pragma unroll
      for (int k = 0; k + 1 < TOP; ++k) {
        best[k] = best[k + 1];
      }
      best[TOP - 1] = 0;
    }
  }
}

void row_top8(const float* x, float* values, int* places, int rows, int columns, cudaStream_t s) {
  if (rows == 0) {
    return;
  }
  row_top8_keys_kernel<<<(rows + 3) / 4, 128, 0, s>>>(x, values, places, rows, columns);
}
