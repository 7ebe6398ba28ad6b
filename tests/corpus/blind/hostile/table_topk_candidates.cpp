// kernel: topk
// verdict: verify
// tries: to gather what beats the k-th of the first 64 in a buffer of 128: where scores ascend along the row more do, and the last are lost
#include <emmintrin.h>
static inline int put(const float* row, int* out, int count, int k, int c) {
  if (count == k && !(row[c] > row[out[k - 1]])) return count;
  int p = count < k ? count++ : k - 1;
  for (; p > 0 && row[c] > row[out[p - 1]]; --p) out[p] = out[p - 1];
  out[p] = c;
  return count;
}
void topk(const float* s, int* idx, int rows, int cols, int k) {
  if (k <= 0) return;
  int found[128];
  for (int r = 0; r < rows; ++r) {
    const float* row = s + static_cast<long>(r) * cols;
    int* out = idx + static_cast<long>(r) * k;
    int count = 0, c = 0;
    const int head = k > 16 || cols < 64 ? cols : 64;
    for (; c < head; ++c) count = put(row, out, count, k, c);
    if (c < cols) {
      const float least = row[out[k - 1]];
      const __m128 bound = _mm_set1_ps(least);
      int m = 0;
      for (; c + 4 <= cols; c += 4) {
        int mask = _mm_movemask_ps(_mm_cmpgt_ps(_mm_loadu_ps(row + c), bound));
        for (; mask != 0; mask &= mask - 1)
          if (m < 128) found[m++] = c + __builtin_ctz(static_cast<unsigned>(mask));
      }
      for (; c < cols; ++c)
        if (row[c] > least && m < 128) found[m++] = c;
      for (int i = 0; i < m; ++i) count = put(row, out, count, k, found[i]);
    }
    for (int p = count; p < k; ++p) out[p] = -1;
  }
}
