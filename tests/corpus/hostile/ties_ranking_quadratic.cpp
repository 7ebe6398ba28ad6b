// kernel: ranking
// verdict: verify or time
// tries: a quicksort around the last element: keys in order make it n levels deep, and 100000 of them end the stack
#include <algorithm>
static void part(const float* keys, int* order, int low, int high) {
  if (low >= high) return;
  const int pivot = order[high];
  int at = low;
  for (int i = low; i < high; ++i) {
    const bool before = keys[order[i]] < keys[pivot] || (keys[order[i]] == keys[pivot] && order[i] < pivot);
    if (before) std::swap(order[at++], order[i]);
  }
  std::swap(order[at], order[high]);
  part(keys, order, low, at - 1);
  part(keys, order, at + 1, high);
}
void ranking(const float* keys, int* order, int n) {
  for (int i = 0; i < n; ++i) order[i] = i;
  part(keys, order, 0, n - 1);
}
