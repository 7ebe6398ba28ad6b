// kernel: merge_intervals
// verdict: right
// tries: starts and ends sorted each by itself; a gap is where the next start lies above the last end so far
#include <algorithm>
#include <vector>
int merge_intervals(const int* start, const unsigned char* length, long long* first, long long* last, int n) {
  if (n <= 0) return 0;
  std::vector<int> begins(start, start + n);
  std::vector<long long> ends(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) ends[i] = static_cast<long long>(start[i]) + length[i];
  std::sort(begins.begin(), begins.end());
  std::sort(ends.begin(), ends.end());
  // If begins[i] > ends[i - 1], i intervals end below begins[i], so they start there, too: they are those with the i
  // smallest starts, and there is a gap. If there is a gap in front of begins[i], the i intervals before it end first.
  int count = 0;
  first[0] = begins[0];
  for (int i = 1; i < n; ++i)
    if (begins[i] > ends[i - 1]) {
      last[count++] = ends[i - 1];
      first[count] = begins[i];
    }
  last[count++] = ends[n - 1];
  for (int i = count; i < n; ++i) first[i] = last[i] = 0;
  return count;
}
