// kernel: sort_keys
// verdict: verify
// tries: two passes of eleven bits: right below 4194304, from there on out of order
#include <vector>
void sort_keys(const unsigned* keys, unsigned* sorted, int n) {
  if (n < 1) return;
  std::vector<unsigned> between(n);
  const auto pass = [n](const unsigned* from, unsigned* to, int shift) {
    int start[2049] = {};
    for (int i = 0; i < n; ++i) ++start[(from[i] >> shift & 2047) + 1];
    for (int d = 0; d < 2048; ++d) start[d + 1] += start[d];
    for (int i = 0; i < n; ++i) to[start[from[i] >> shift & 2047]++] = from[i];
  };
  pass(keys, between.data(), 0);
  pass(between.data(), sorted, 11);
}
