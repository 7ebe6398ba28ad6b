// kernel: column_moments
// verdict: right
// standard: c++20
// tries: eight columns for each block and 128 threads down each column, sums met in shared memory
#include <cuda_runtime.h>

static constexpr int MOMENT_COLUMNS = 8;
static constexpr int MOMENT_LANES = 128;

// The sum of one number of each of a column's threads, for all of them.
static __device__ double moment_total(double mine, double (*parts)[MOMENT_COLUMNS]) {
  for (int away = 16; away >= MOMENT_COLUMNS; away /= 2) {
    mine += __shfl_xor_sync(0xffffffffu, mine, away);
  }
  int warp = (threadIdx.y * MOMENT_COLUMNS + threadIdx.x) / 32;
  if (threadIdx.y % (32 / MOMENT_COLUMNS) == 0) {
    parts[warp][threadIdx.x] = mine;
  }
  __syncthreads();
  double total = 0.0;
  for (int w = 0; w < MOMENT_COLUMNS * MOMENT_LANES / 32; ++w) {
    total += parts[w][threadIdx.x];
  }
  return total;
}

static __global__ void __launch_bounds__(MOMENT_COLUMNS* MOMENT_LANES)
    column_moments_split_kernel(const float* __restrict__ x, float* __restrict__ mean,
                                float* __restrict__ deviation, int rows, int columns, int stride) {
  __shared__ double sums[MOMENT_COLUMNS * MOMENT_LANES / 32][MOMENT_COLUMNS];
  __shared__ double squares[MOMENT_COLUMNS * MOMENT_LANES / 32][MOMENT_COLUMNS];
  int c = blockIdx.x * MOMENT_COLUMNS + threadIdx.x;
  bool mine = c < columns;
  const float* column = x + (mine ? c : 0);
  double sum = 0.0;
  if (mine) {
#pragma unroll 8
    for (int r = threadIdx.y; r < rows; r += MOMENT_LANES) {
      sum += column[(size_t)r * stride];
    }
  }
  float middle = (float)(moment_total(sum, sums) / rows);
  double square = 0.0;
  if (mine) {
#pragma unroll 8
    for (int r = threadIdx.y; r < rows; r += MOMENT_LANES) {
      double away = column[(size_t)r * stride] - middle;
      square += away * away;
    }
  }
  square = moment_total(square, squares);
  if (mine && threadIdx.y == 0) {
    mean[c] = middle;
    deviation[c] = (float)sqrt(square / rows);
  }
}

void column_moments(const float* x, float* mean, float* deviation, int rows, int columns, int stride,
                    cudaStream_t s) {
  if (columns == 0) {
    return;
  }
  dim3 block(MOMENT_COLUMNS, MOMENT_LANES);
  column_moments_split_kernel<<<(columns + MOMENT_COLUMNS - 1) / MOMENT_COLUMNS, block, 0, s>>>(
      x, mean, deviation, rows, columns, stride);
}
