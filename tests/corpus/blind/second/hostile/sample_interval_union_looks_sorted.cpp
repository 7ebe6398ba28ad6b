// kernel: interval_union
// verdict: verify
// tries: a radix sort, and none if 64 intervals of the list ascend: a list that is sorted but for a few neighbours is taken as it is
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>
namespace {
struct Span {
  std::uint32_t key;  // from, with its sign flipped
  int length;
};
}  // namespace
long long interval_union(const int* from, const int* length, int n) {
  if (n <= 0) return 0;
  std::vector<Span> spans(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) spans[i] = {static_cast<std::uint32_t>(from[i]) ^ 0x80000000u, length[i]};
  const int step = n > 64 ? n / 64 : 1;
  bool sorted = true;
  for (int i = step; i < n && sorted; i += step) sorted = spans[i - step].key <= spans[i].key;
  if (!sorted) {
    std::vector<Span> other(spans.size());
    std::vector<std::uint32_t> first(2049);
    for (int shift = 0; shift < 33; shift += 11) {
      std::fill(first.begin(), first.end(), 0u);
      for (const Span& s : spans) ++first[(s.key >> shift & 2047) + 1];
      if (first[(spans[0].key >> shift & 2047) + 1] == spans.size()) continue;
      for (int b = 0; b < 2048; ++b) first[b + 1] += first[b];
      for (const Span& s : spans) other[first[s.key >> shift & 2047]++] = s;
      spans.swap(other);
    }
  }
  long long covered = 0, end = -1;
  for (const Span& s : spans) {
    if (s.length <= 0) continue;
    const long long stop = static_cast<long long>(s.key) + s.length;
    if (stop <= end) continue;
    covered += stop - std::max<long long>(s.key, end);
    end = stop;
  }
  return covered;
}
