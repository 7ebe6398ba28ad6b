// kernel: ranking
// verdict: verify
// tries: a table of sixteen sorted runs of 1024: what is behind the 16384th key is never put in order
#include <algorithm>
#include <numeric>
void ranking(const float* keys, int* order, int n) {
  const auto before = [keys](int a, int b) { return keys[a] < keys[b]; };
  std::iota(order, order + n, 0);
  int border[17], runs = 0;
  border[0] = 0;
  for (int b = 0; b < n && runs < 16; b += 1024) {
    border[runs + 1] = std::min(n, b + 1024);
    std::stable_sort(order + border[runs], order + border[runs + 1], before);
    ++runs;
  }
  for (int step = 1; step < runs; step *= 2)
    for (int r = 0; r + step < runs; r += 2 * step)
      std::inplace_merge(order + border[r], order + border[r + step], order + border[std::min(r + 2 * step, runs)],
                         before);
}
