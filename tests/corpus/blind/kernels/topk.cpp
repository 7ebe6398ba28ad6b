// For each row the columns of its k largest scores, largest first, of equal ones the first first; then -1.
#pragma hone kernel in(s[0:rows][0:cols]) out(idx[0:rows][0:k]) problem(rows = 100, cols = 300, k = 8)
void topk(const float* s, int* idx, int rows, int cols, int k) {
  if (k <= 0) return;
  for (int r = 0; r < rows; ++r) {
    const float* row = s + r * cols;
    int* out = idx + r * k;
    int count = 0;
    for (int c = 0; c < cols; ++c) {
      if (count == k && !(row[c] > row[out[k - 1]])) continue;
      int p = count < k ? count++ : k - 1;
      for (; p > 0 && row[c] > row[out[p - 1]]; --p) out[p] = out[p - 1];
      out[p] = c;
    }
    for (int p = count; p < k; ++p) out[p] = -1;
  }
}
