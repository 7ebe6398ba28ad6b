// kernel: sort_keys
// verdict: right
// tries: as many passes as the largest key needs: small ones need two, large ones three
#include <vector>
void sort_keys(const unsigned* keys, unsigned* sorted, int n) {
  if (n < 1) return;
  std::vector<unsigned> a(keys, keys + n), b(n);
  unsigned most = 0;
  for (unsigned v : a) most |= v;
  for (int shift = 0; shift < 32 && most >> shift; shift += 11) {
    std::vector<int> start(2049, 0);
    for (unsigned v : a) ++start[(v >> shift & 2047) + 1];
    for (int d = 0; d < 2048; ++d) start[d + 1] += start[d];
    for (unsigned v : a) b[start[v >> shift & 2047]++] = v;
    a.swap(b);
  }
  for (int i = 0; i < n; ++i) sorted[i] = a[i];
}
