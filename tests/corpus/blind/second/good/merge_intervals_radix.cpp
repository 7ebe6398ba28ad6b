// kernel: merge_intervals
// verdict: right
// tries: a radix sort by the start alone, three digits of eleven bits counted in one pass; few intervals by insertion
#include <cstdint>
#include <utility>
#include <vector>
int merge_intervals(const int* start, const unsigned char* length, long long* first, long long* last, int n) {
  if (n <= 0) return 0;
  struct Item {
    std::uint32_t key, length;
  };
  std::vector<Item> item(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) item[i] = {static_cast<std::uint32_t>(start[i]) + 0x80000000u, length[i]};
  if (n < 64) {
    for (int i = 1; i < n; ++i) {
      const Item it = item[i];
      int j = i;
      for (; j > 0 && item[j - 1].key > it.key; --j) item[j] = item[j - 1];
      item[j] = it;
    }
  } else {
    std::vector<std::uint32_t> bucket(3 * 2048, 0);
    for (const Item& it : item) {
      ++bucket[it.key & 2047];
      ++bucket[2048 + (it.key >> 11 & 2047)];
      ++bucket[4096 + (it.key >> 22)];
    }
    std::vector<Item> other(item.size());
    for (int digit = 0; digit < 3; ++digit) {
      std::uint32_t* b = bucket.data() + 2048 * digit;
      std::uint32_t sum = 0;
      for (int i = 0; i < 2048; ++i) {
        const std::uint32_t here = b[i];
        b[i] = sum;
        sum += here;
      }
      for (const Item& it : item) other[b[it.key >> 11 * digit & 2047]++] = it;
      std::swap(item, other);
    }
  }
  // Which of equal starts comes first makes no difference: all of them are merged.
  int count = -1;
  long long end = -0x80000001LL;  // Below any start.
  for (const Item& it : item) {
    const long long begin = static_cast<long long>(it.key) - 0x80000000LL, to = begin + it.length;
    if (begin > end) first[++count] = begin;
    end = to > end ? to : end;
    last[count] = end;
  }
  ++count;
  for (int i = count; i < n; ++i) first[i] = last[i] = 0;
  return count;
}
