// kernel: alignment_scores
// verdict: wrong
// standard: c++20
// tries: a warp for each tile of 32 by 32 with half the shared memory, since scores of such sequences fit 16 bits
#include <cuda_runtime.h>

static __global__ void __launch_bounds__(128)
    alignment_short_kernel(const unsigned char* __restrict__ a, const unsigned char* __restrict__ b, int* score,
                           int m, int n, int diagonal, int first, int last, int match, int mismatch, int gap) {
  __shared__ short tiles[4][33][34];  // with the row above and the column to the left
  __shared__ unsigned char letters[4][32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int down = first + blockIdx.x * 4 + warp;
  if (down > last) {
    return;
  }
  short(*tile)[34] = tiles[warp];
  int i0 = down * 32, j0 = (diagonal - down) * 32;
  int wide = min(32, n - j0), high = min(32, m - i0);
  size_t row = n + 1;
  if (lane < wide) {
    tile[0][lane + 1] = (short)score[i0 * row + j0 + 1 + lane];
    letters[warp][lane] = b[j0 + lane];
  }
  if (lane < high) {
    tile[lane + 1][0] = (short)score[(i0 + 1 + lane) * row + j0];
  }
  if (lane == 0) {
    tile[0][0] = (short)score[i0 * row + j0];
  }
  int letter = lane < high ? a[i0 + lane] : 0;
  __syncwarp();
  for (int t = 0; t < wide + high - 1; ++t) {
    int c = t - lane;
    if (lane < high && c >= 0 && c < wide) {
      int best = tile[lane][c] + (letter == letters[warp][c] ? match : mismatch);
      best = max(best, max((int)tile[lane][c + 1], (int)tile[lane + 1][c]) - gap);
      tile[lane + 1][c + 1] = (short)best;
    }
    __syncwarp();
  }
  for (int r = 0; r < high; ++r) {
    if (lane < wide) {
      score[(i0 + 1 + r) * row + j0 + 1 + lane] = tile[r + 1][lane + 1];
    }
  }
}

void alignment_scores(const unsigned char* a, const unsigned char* b, int* score, int m, int n, int match,
                      int mismatch, int gap, cudaStream_t s) {
  alignment_border_kernel<<<(max(m, n) + 256) / 256, 256, 0, s>>>(score, m, n, gap);
  int down = (m + 31) / 32, across = (n + 31) / 32;
  if (down == 0 || across == 0) {
    return;
  }
  for (int diagonal = 0; diagonal < down + across - 1; ++diagonal) {
    int first = max(0, diagonal - across + 1), last = min(down - 1, diagonal);
    alignment_short_kernel<<<(last - first) / 4 + 1, 128, 0, s>>>(a, b, score, m, n, diagonal, first, last, match,
                                                                 mismatch, gap);
  }
}
