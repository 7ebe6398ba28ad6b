// kernel: running
// verdict: right
// tries: another way for large sizes than for small
#include <vector>
static void small(const unsigned* x, unsigned* y, int n, unsigned sum) {
  while (n-- > 0) *y++ = sum += *x++;
}
void running_sum(const unsigned* x, unsigned* y, int n) {
  if (n < 10000) return small(x, y, n, 0);
  const int blocks = 8, size = (n + blocks - 1) / blocks;
  std::vector<unsigned> starts(blocks);
  for (int b = 1; b < blocks; ++b) {
    unsigned sum = starts[b - 1];
    for (int i = (b - 1) * size; i < b * size && i < n; ++i) sum += x[i];
    starts[b] = sum;
  }
  for (int b = 0; b < blocks && b * size < n; ++b)
    small(x + b * size, y + b * size, b * size + size < n ? size : n - b * size, starts[b]);
}
