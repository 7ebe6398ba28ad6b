// kernel: binarize_rows
// verdict: right
// standard: c++20
// tries: a warp for 32 words: each word is one coalesced read and one vote, all 32 are stored at once
#include <cuda_runtime.h>

static __global__ void __launch_bounds__(256)
    binarize_rows_vote_kernel(const float* __restrict__ x, const float* __restrict__ threshold,
                              unsigned* __restrict__ bits, int rows, int columns, int stride, int words,
                              int spans) {
  long long warp = (long long)blockIdx.x * 8 + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  long long r = warp / spans;
  if (r >= rows) {
    return;  // the whole warp
  }
  int first = (int)(warp % spans) * 32;  // word of the row
  int count = min(32, words - first);
  const float* row = x + r * stride;
  float limit = threshold[r];
  unsigned mine = 0;
#pragma unroll 8
  for (int w = 0; w < count; ++w) {
    int c = (first + w) * 32 + lane;
    unsigned word = __ballot_sync(0xffffffffu, c < columns && row[c] > limit);
    if (lane == w) {
      mine = word;
    }
  }
  if (lane < count) {
    bits[r * words + first + lane] = mine;
  }
}

void binarize_rows(const float* x, const float* threshold, unsigned* bits, int rows, int columns, int stride,
                   cudaStream_t s) {
  int words = (columns + 31) / 32;
  if (rows == 0 || words == 0) {
    return;
  }
  int spans = (words + 31) / 32;
  long long warps = (long long)rows * spans;
  binarize_rows_vote_kernel<<<(unsigned)((warps + 7) / 8), 256, 0, s>>>(x, threshold, bits, rows, columns, stride,
                                                                       words, spans);
}
