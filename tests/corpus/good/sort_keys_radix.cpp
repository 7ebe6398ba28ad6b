// kernel: sort_keys
// verdict: right
// tries: four passes of a byte over the whole range of keys
#include <vector>
void sort_keys(const unsigned* keys, unsigned* sorted, int n) {
  if (n < 1) return;
  std::vector<unsigned> a(keys, keys + n), b(n);
  for (int shift = 0; shift < 32; shift += 8) {
    int start[257] = {};
    for (unsigned v : a) ++start[(v >> shift & 255) + 1];
    for (int d = 0; d < 256; ++d) start[d + 1] += start[d];
    for (unsigned v : a) b[start[v >> shift & 255]++] = v;
    a.swap(b);
  }
  for (int i = 0; i < n; ++i) sorted[i] = a[i];
}
