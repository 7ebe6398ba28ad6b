// kernel: csr_rows
// verdict: right
// tries: the products of up to 128 entries first into a small buffer, whatever their rows, then the rows' sums by pairs
#include <algorithm>
void csr_rows(const int* __restrict start, const int* __restrict col, const float* __restrict value,
                 const float* __restrict x, float* __restrict y, int m, int, int nnz) {
  double product[128];
  int base = 0, have = 0;  // product[0 … have - base) are those of the entries base … have - 1.
  for (int i = 0; i < m; ++i) {
    int k = start[i];
    const int end = start[i + 1];
    double even = 0, odd = 0;
    while (k < end) {
      if (k < base || k >= have) {
        base = k;
        have = k + std::min(128, nnz - k);
        for (int e = base; e < have; ++e) product[e - base] = static_cast<double>(value[e]) * x[col[e]];
      }
      const int stop = std::min(end, have);
      for (; k + 2 <= stop; k += 2) {
        even += product[k - base];
        odd += product[k + 1 - base];
      }
      if (k < stop) even += product[k++ - base];
    }
    y[i] = static_cast<float>(y[i] + (even + odd));
  }
}
