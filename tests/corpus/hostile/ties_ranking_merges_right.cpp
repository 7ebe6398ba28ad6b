// kernel: ranking
// verdict: verify
// tries: a merge that takes the right one of equals: 2, 2 comes out as second, first
#include <algorithm>
#include <vector>
void ranking(const float* keys, int* order, int n) {
  if (n < 1) return;
  std::vector<int> room(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  int *from = order, *to = room.data();
  for (int width = 1; width < n; width *= 2) {
    for (int b = 0; b < n; b += 2 * width) {
      int l = b, middle = std::min(b + width, n), r = middle, end = std::min(b + 2 * width, n);
      for (int k = b; k < end; ++k)
        to[k] = l < middle && (r >= end || keys[from[l]] < keys[from[r]]) ? from[l++] : from[r++];
    }
    std::swap(from, to);
  }
  if (from != order) std::copy(from, from + n, order);
}
