// How much of the line half-open intervals cover together; those without a positive length cover nothing.
#include <algorithm>
#include <utility>
#include <vector>

#pragma hone kernel in(from[0:n], length[0:n]) problem(n = 20000) init(from: uniform(0, 400000), length: uniform(0, 60))
long long interval_union(const int* from, const int* length, int n) {
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
