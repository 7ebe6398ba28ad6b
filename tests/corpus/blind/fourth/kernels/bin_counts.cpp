// Adds values to a histogram whose bins may be of different widths. The last bin includes its upper end.
#include <cstdint>

#pragma hone kernel in(x[0:n], edges[0:bins+1]) inout(counts[0:bins], outside) \
    problem(n=20000, bins=40) problem(n=555, bins=9) init(edges: sorted(-0.9, 0.9)) requires(bins >= 1)
void bin_counts(const float* x, int n, const float* edges, int bins, uint32_t* counts, uint32_t& outside) {
  for (int i = 0; i < n; ++i) {
    if (!(x[i] >= edges[0] && x[i] <= edges[bins])) {
      ++outside;
      continue;
    }
    int bin = 0;
    while (bin + 1 < bins && x[i] >= edges[bin + 1]) ++bin;
    ++counts[bin];
  }
}
