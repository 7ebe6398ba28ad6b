// kernel: bin_counts
// verdict: wrong
// standard: c++20
// tries: a fine even grid says in which bin its cells begin; from there a value is at most a few edges away, which are counted without branches
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

void bin_counts(const float* x, int n, const float* edges, int bins, uint32_t* counts, uint32_t& outside) {
  const float first = edges[0], last = edges[bins];
  constexpr int cells = 4096;
  const float scale = cells / (last - first);
  if (n < 4096 || !(scale > 0.f) || !std::isfinite(scale)) {
    for (int i = 0; i < n; ++i) {
      if (!(x[i] >= first && x[i] <= last)) {
        ++outside;
        continue;
      }
      int bin = 0;
      while (bin + 1 < bins && x[i] >= edges[bin + 1]) ++bin;
      ++counts[bin];
    }
    return;
  }
  const auto cell_of = [&](float v) { return std::min(static_cast<int>((v - first) * scale), cells - 1); };
  // The bin in which the cell begins, and the inner edges from there on.
  std::vector<int> begin(cells + 1);
  int bin = 0;
  for (int c = 0; c < cells; ++c) {
    while (bin + 1 < bins && cell_of(edges[bin + 1]) < c) ++bin;
    begin[c] = bin;
  }
  std::vector<float> inner(static_cast<size_t>(bins) + 3, std::numeric_limits<float>::quiet_NaN());
  for (int b = 1; b < bins; ++b) inner[b - 1] = edges[b];
  std::vector<uint32_t> table(2 * (static_cast<size_t>(bins) + 1), 0);
  for (int i = 0; i < n; ++i) {
    const float v = x[i];
    const bool in = v >= first && v <= last;
    const int at = begin[in ? cell_of(v) : 0];
    const int above = (v >= inner[at]) + (v >= inner[at + 1]) + (v >= inner[at + 2]);
    ++table[(i & 1) * (bins + 1) + (in ? at + above : bins)];
  }
  for (int b = 0; b < bins; ++b) counts[b] += table[b] + table[bins + 1 + b];
  outside += table[bins] + table[2 * bins + 1];
}
