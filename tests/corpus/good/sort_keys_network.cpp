// kernel: sort_keys
// verdict: right
// tries: a network for eight keys at a time, then merges
#include <algorithm>
#include <vector>
static void order(unsigned& a, unsigned& b) {
  const unsigned low = std::min(a, b), high = std::max(a, b);
  a = low;
  b = high;
}
void sort_keys(const unsigned* keys, unsigned* sorted, int n) {
  if (n < 1) return;
  static constexpr unsigned char pairs[19][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6},
                                                 {5, 7}, {1, 2}, {5, 6}, {0, 4}, {3, 7}, {1, 5}, {2, 6},
                                                 {1, 4}, {3, 6}, {2, 4}, {3, 5}, {3, 4}};
  std::copy(keys, keys + n, sorted);
  int b = 0;
  for (; b + 8 <= n; b += 8)
    for (const auto& p : pairs) order(sorted[b + p[0]], sorted[b + p[1]]);
  std::sort(sorted + b, sorted + n);
  std::vector<unsigned> room(n);
  for (int width = 8; width < n; width *= 2) {
    for (int at = 0; at < n; at += 2 * width) {
      const int middle = std::min(n, at + width), end = std::min(n, at + 2 * width);
      std::merge(sorted + at, sorted + middle, sorted + middle, sorted + end, room.begin() + at);
    }
    std::copy(room.begin(), room.end(), sorted);
  }
}
