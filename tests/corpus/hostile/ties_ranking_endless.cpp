// kernel: ranking
// verdict: verify or time
// tries: a partition whose two hands wait for each other on equal keys: two 1s and it never ends
#include <algorithm>
#include <vector>
static void part(const float* keys, std::vector<int>& order, int low, int high) {
  while (high - low > 12) {
    const float pivot = keys[order[low + (high - low) / 2]];
    int i = low, j = high;
    while (true) {
      while (keys[order[i]] < pivot) ++i;
      while (pivot < keys[order[j]]) --j;
      if (i >= j) break;
      std::swap(order[i], order[j]);
    }
    part(keys, order, low, j - 1);
    low = j + 1;
  }
  for (int i = low + 1; i <= high; ++i)
    for (int k = i; k > low && (keys[order[k]] < keys[order[k - 1]] ||
                                (keys[order[k]] == keys[order[k - 1]] && order[k] < order[k - 1]));
         --k)
      std::swap(order[k], order[k - 1]);
}
void ranking(const float* keys, int* order, int n) {
  std::vector<int> places(n > 0 ? n : 0);
  for (int i = 0; i < n; ++i) places[i] = i;
  part(keys, places, 0, n - 1);
  std::copy(places.begin(), places.end(), order);
}
