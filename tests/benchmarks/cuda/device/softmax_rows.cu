// Softmax of each row by one warp, with what the standard headers say of numbers.
#include <cfloat>
#include <cmath>
#include <cstdint>

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__device__ float warp_largest(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

#pragma hone kernel in(x[0 : rows * columns]) out(y[0 : rows * columns]) init(x : uniform(-4, 4)) \
    problem(rows = 4096, columns = 1024) launch(grid(rows), block(32)) tolerance(rtol = 1e-4)
__global__ void softmax(const float* x, float* y, int32_t rows, int32_t columns) {
  if (blockIdx.x >= rows) return;
  const float* in = x + static_cast<int64_t>(blockIdx.x) * columns;
  float* out = y + static_cast<int64_t>(blockIdx.x) * columns;
  float largest = -FLT_MAX;
  for (int c = threadIdx.x; c < columns; c += 32) largest = std::fmax(largest, in[c]);
  largest = warp_largest(largest);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32) sum += std::exp(in[c] - largest);
  sum = warp_sum(sum);
  for (int c = threadIdx.x; c < columns; c += 32) out[c] = std::exp(in[c] - largest) / sum;
}
