// kernel: alignment_scores
// verdict: right
// standard: c++20
// tries: a launch for each diagonal of tiles of 32 by 32: a warp for each, neighbours by shuffles
#include <cuda_runtime.h>

#include <algorithm>

static __global__ void __launch_bounds__(32)
    alignment_tile_kernel(const unsigned char* __restrict__ a, const unsigned char* __restrict__ b, int* score,
                          int m, int n, int diagonal, int first, int match, int mismatch, int gap) {
  constexpr unsigned ALL = 0xffffffffu;
  __shared__ int tile[32][33];
  __shared__ int top[32];
  __shared__ int letters[32];
  int i0 = (first + blockIdx.x) * 32;
  int j0 = (diagonal - first - blockIdx.x) * 32;
  int lane = threadIdx.x;
  int i = i0 + 1 + lane;  // this lane's row of the matrix
  int wide = min(32, n - j0), high = min(32, m - i0);
  size_t row = n + 1;
  if (lane < wide) {
    top[lane] = score[i0 * row + j0 + 1 + lane];
    letters[lane] = b[j0 + lane];
  }
  int left = 0, corner = 0, letter = 0;
  if (lane < high) {
    left = score[i * row + j0];
    corner = score[(i - 1) * row + j0];
    letter = a[i - 1];
  }
  __syncwarp();
  // Each lane is one column behind the lane above it.
  for (int t = 0; t < wide + high - 1; ++t) {
    int c = t - lane;
    int above = __shfl_up_sync(ALL, left, 1);
    if (lane < high && c >= 0 && c < wide) {
      if (lane == 0) {
        above = top[c];
      }
      int best = corner + (letter == letters[c] ? match : mismatch);
      best = max(best, max(above, left) - gap);
      corner = above;
      left = best;
      tile[lane][c] = best;
    }
  }
  __syncwarp();
  for (int r = 0; r < high; ++r) {
    if (lane < wide) {
      score[(i0 + 1 + r) * row + j0 + 1 + lane] = tile[r][lane];
    }
  }
}

void alignment_scores(const unsigned char* a, const unsigned char* b, int* score, int m, int n, int match,
                      int mismatch, int gap, cudaStream_t s) {
  alignment_border_kernel<<<(std::max(m, n) + 256) / 256, 256, 0, s>>>(score, m, n, gap);
  int down = (m + 31) / 32, across = (n + 31) / 32;
  for (int diagonal = 0; down > 0 && across > 0 && diagonal < down + across - 1; ++diagonal) {
    int first = std::max(0, diagonal - across + 1);
    int last = std::min(down - 1, diagonal);
    alignment_tile_kernel<<<last - first + 1, 32, 0, s>>>(a, b, score, m, n, diagonal, first, match, mismatch, gap);
  }
}
