// kernel: topk
// verdict: verify
// tries: to take a row for sorted if every eighth score descends: a peak between two of them is overlooked
#include <emmintrin.h>
void topk(const float* s, int* idx, int rows, int cols, int k) {
  if (k <= 0) return;
  for (int r = 0; r < rows; ++r) {
    const float* row = s + static_cast<long>(r) * cols;
    int* out = idx + static_cast<long>(r) * k;
    if (cols >= 128) {
      int c = 8;
      while (c < cols && row[c] <= row[c - 8]) c += 8;
      if (c >= cols) {
        for (int p = 0; p < k; ++p) out[p] = p < cols ? p : -1;
        continue;
      }
    }
    int count = 0, c = 0;
    for (; c < cols && count < k; ++c) {
      int p = count++;
      for (; p > 0 && row[c] > row[out[p - 1]]; --p) out[p] = out[p - 1];
      out[p] = c;
    }
    for (; c < cols;) {
      const float least = row[out[k - 1]];
      const __m128 bound = _mm_set1_ps(least);
      while (c + 4 <= cols && _mm_movemask_ps(_mm_cmpgt_ps(_mm_loadu_ps(row + c), bound)) == 0) c += 4;
      while (c < cols && !(row[c] > least)) ++c;
      if (c >= cols) break;
      int p = k - 1;
      for (; p > 0 && row[c] > row[out[p - 1]]; --p) out[p] = out[p - 1];
      out[p] = c++;
    }
    for (int p = count; p < k; ++p) out[p] = -1;
  }
}
