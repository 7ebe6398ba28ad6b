// kernel: interval_union
// verdict: verify
// tries: begins and ends counted in a byte for each place, and no sorting: 128 to 255 intervals that begin at one place (and end at one) count as less than none
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
long long interval_union(const int* from, const int* length, int n) {
  long long low = 4294967296LL, high = -4294967296LL;
  for (int i = 0; i < n; ++i)
    if (length[i] > 0) {
      low = std::min<long long>(low, from[i]);
      high = std::max(high, static_cast<long long>(from[i]) + length[i]);
    }
  if (low >= high) return 0;
  if (high - low > 64LL * n + 4096) return by_sorting(from, length, n);
  std::vector<signed char> change(static_cast<std::size_t>(high - low) + 1);
  for (int i = 0; i < n; ++i)
    if (length[i] > 0) {
      signed char& a = change[static_cast<std::size_t>(from[i] - low)];
      signed char& b = change[static_cast<std::size_t>(from[i] + static_cast<long long>(length[i]) - low)];
      a = static_cast<signed char>(a + 1);
      b = static_cast<signed char>(b - 1);
    }
  long long covered = 0;
  int depth = 0;
  for (signed char c : change) depth += c, covered += depth > 0;
  return covered;
}
