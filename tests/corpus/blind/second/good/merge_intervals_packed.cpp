// kernel: merge_intervals
// verdict: right
// tries: start and length in one 64-bit key, the start's sign turned so that keys ascend: sorted as plain integers
#include <algorithm>
#include <cstdint>
#include <vector>
int merge_intervals(const int* start, const unsigned char* length, long long* first, long long* last, int n) {
  if (n < 1) return 0;
  std::vector<std::uint64_t> key(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    key[i] = static_cast<std::uint64_t>(static_cast<std::uint32_t>(start[i]) ^ 0x80000000u) << 8 | length[i];
  std::sort(key.begin(), key.end());
  int count = 0;
  long long from = 0, to = 0;
  bool any = false;
  for (const std::uint64_t k : key) {
    const long long begin = static_cast<long long>(k >> 8) - 0x80000000LL, end = begin + static_cast<long long>(k & 255);
    if (any && begin <= to) {
      to = std::max(to, end);
      continue;
    }
    if (any) {
      first[count] = from;
      last[count++] = to;
    }
    any = true;
    from = begin;
    to = end;
  }
  first[count] = from;
  last[count++] = to;
  std::fill(first + count, first + n, 0);
  std::fill(last + count, last + n, 0);
  return count;
}
