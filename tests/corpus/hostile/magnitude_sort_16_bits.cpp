// kernel: sort_keys
// verdict: verify
// tries: a radix sort of two passes: 65536 comes before 1
#include <vector>
void sort_keys(const unsigned* keys, unsigned* sorted, int n) {
  if (n < 1) return;
  std::vector<unsigned> between(n);
  const auto pass = [n](const unsigned* from, unsigned* to, int shift) {
    int start[257] = {};
    for (int i = 0; i < n; ++i) ++start[(from[i] >> shift & 255) + 1];
    for (int d = 0; d < 256; ++d) start[d + 1] += start[d];
    for (int i = 0; i < n; ++i) to[start[from[i] >> shift & 255]++] = from[i];
  };
  pass(keys, between.data(), 0);
  pass(between.data(), sorted, 8);
}
