// kernel: column_moments
// verdict: wrong
// standard: c++20
// tries: one pass over the table, about each column's first element so that nothing cancels
#include <cuda_runtime.h>

static __global__ void __launch_bounds__(1024)
    column_moments_onepass_kernel(const float* __restrict__ x, float* __restrict__ mean,
                                  float* __restrict__ deviation, int rows, int columns, int stride) {
  __shared__ float sums[128][8], shifts[128][8], squares[128][8];
  int c = blockIdx.x * 8 + threadIdx.x;
  int t = threadIdx.y;
  float sum = 0.0f, shifted = 0.0f, square = 0.0f;
  if (c < columns && rows > 0) {
    float origin = x[c];  // a sample of the column: sums of squares about it are small
#pragma unroll 8
    for (int r = t; r < rows; r += 128) {
      float value = x[(size_t)r * stride + c];
      float away = value - origin;
      sum += value;
      shifted += away;
      square += away * away;
    }
  }
  sums[t][threadIdx.x] = sum;
  shifts[t][threadIdx.x] = shifted;
  squares[t][threadIdx.x] = square;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) {
      sums[t][threadIdx.x] += sums[t + half][threadIdx.x];
      shifts[t][threadIdx.x] += shifts[t + half][threadIdx.x];
      squares[t][threadIdx.x] += squares[t + half][threadIdx.x];
    }
    __syncthreads();
  }
  if (t == 0 && c < columns) {
    float offset = shifts[0][threadIdx.x] / rows;
    float variance = squares[0][threadIdx.x] / rows - offset * offset;
    mean[c] = sums[0][threadIdx.x] / rows;
    deviation[c] = sqrtf(variance < 0.0f ? 0.0f : variance);
  }
}

void column_moments(const float* x, float* mean, float* deviation, int rows, int columns, int stride,
                    cudaStream_t s) {
  if (columns == 0) {
    return;
  }
  column_moments_onepass_kernel<<<(columns + 7) / 8, dim3(8, 128), 0, s>>>(x, mean, deviation, rows, columns, stride);
}
