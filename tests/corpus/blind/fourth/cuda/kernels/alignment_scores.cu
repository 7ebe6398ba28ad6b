// Global alignment of two sequences (Needleman and Wunsch): the whole matrix of scores, with m + 1 rows and n + 1
// columns. Cells of one anti-diagonal depend on the two before it only, so each anti-diagonal is a launch.

__global__ void alignment_border_kernel(int* score, int m, int n, int gap) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) {
    score[i] = -gap * i;
  }
  if (i <= m) {
    score[(size_t)i * (n + 1)] = -gap * i;
  }
}

__global__ void alignment_diagonal_kernel(const unsigned char* a, const unsigned char* b, int* score, int n,
                                          int diagonal, int first, int last, int match, int mismatch, int gap) {
  int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i > last) {
    return;
  }
  int j = diagonal - i;
  int* here = score + (size_t)i * (n + 1) + j;
  int best = here[-(n + 2)] + (a[i - 1] == b[j - 1] ? match : mismatch);
  best = max(best, here[-(n + 1)] - gap);
  best = max(best, here[-1] - gap);
  *here = best;
}

#pragma hone kernel in(a[0 : m], b[0 : n]) out(score[0 : m + 1][0 : n + 1]) problem(m = 700, n = 600) \
    problem(m = 97, n = 131) init(a : uniform(0, 3), b : uniform(0, 3)) \
    init(match : uniform(1, 5), mismatch : uniform(-5, 0), gap : uniform(0, 6)) stream(s)
void alignment_scores(const unsigned char* a, const unsigned char* b, int* score, int m, int n, int match,
                      int mismatch, int gap, cudaStream_t s) {
  alignment_border_kernel<<<(max(m, n) + 256) / 256, 256, 0, s>>>(score, m, n, gap);
  for (int diagonal = 2; diagonal <= m + n; ++diagonal) {
    int first = max(1, diagonal - n);
    int last = min(m, diagonal - 1);
    if (first <= last) {
      alignment_diagonal_kernel<<<(last - first + 256) / 256, 256, 0, s>>>(a, b, score, n, diagonal, first, last,
                                                                           match, mismatch, gap);
    }
  }
}
