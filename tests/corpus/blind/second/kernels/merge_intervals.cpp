// Intervals in any order to the disjoint ones that cover the same, ascending; those that touch are one. Then zeros.
#include <algorithm>
#include <utility>
#include <vector>

#pragma hone kernel in(start[0:n], length[0:n]) out(first[0:n], last[0:n]) problem(n = 20000) \
    init(start: uniform(-2000000, 2000000))
int merge_intervals(const int* start, const unsigned char* length, long long* first, long long* last, int n) {
  std::vector<std::pair<long long, long long>> sorted;
  for (int i = 0; i < n; ++i) sorted.emplace_back(start[i], start[i] + static_cast<long long>(length[i]));
  std::sort(sorted.begin(), sorted.end());
  int count = 0;
  for (const auto& s : sorted) {
    if (count > 0 && s.first <= last[count - 1]) {
      last[count - 1] = std::max(last[count - 1], s.second);
    } else {
      first[count] = s.first;
      last[count] = s.second;
      ++count;
    }
  }
  for (int i = count; i < n; ++i) first[i] = last[i] = 0;
  return count;
}
