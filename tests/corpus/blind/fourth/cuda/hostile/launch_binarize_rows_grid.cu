// kernel: binarize_rows
// verdict: wrong
// standard: c++20
// tries: a row of the grid for each row of the matrix: a warp votes on 32 elements at once, without divisions
#include <cuda_runtime.h>

static __global__ void __launch_bounds__(256)
    binarize_rows_grid_kernel(const float* __restrict__ x, const float* __restrict__ threshold,
                              unsigned* __restrict__ bits, int columns, int stride, int words) {
  size_t r = blockIdx.y;
  int lane = threadIdx.x % 32;
  const float* row = x + r * stride;
  float limit = threshold[r];
  int first = (blockIdx.x * 8 + threadIdx.x / 32) * 8;
#pragma unroll
  for (int w = 0; w < 8; ++w) {
    int word = first + w;
    int c = word * 32 + lane;
    unsigned vote = __ballot_sync(0xffffffffu, c < columns && row[c] > limit);
    if (word < words && lane == 0) {
      bits[r * words + word] = vote;
    }
  }
}

void binarize_rows(const float* x, const float* threshold, unsigned* bits, int rows, int columns, int stride,
                   cudaStream_t s) {
  int words = (columns + 31) / 32;
  if (rows == 0 || words == 0) {
    return;
  }
  dim3 grid((words + 63) / 64, rows);
  binarize_rows_grid_kernel<<<grid, 256, 0, s>>>(x, threshold, bits, columns, stride, words);
}
