// The order of keys; equal ones stay as they stood.
#include <algorithm>
#include <numeric>

#pragma hone kernel in(keys [0:n])out(order [0:n]) problem(n = 6000)
void ranking(const float* keys, int* order, int n) {
  std::iota(order, order + n, 0);
  std::stable_sort(order, order + n, [keys](int a, int b) { return keys[a] < keys[b]; });
}
