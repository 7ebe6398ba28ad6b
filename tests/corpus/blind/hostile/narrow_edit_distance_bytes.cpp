// kernel: edit_distance
// verdict: verify
// tries: diagonals of bytes if the shorter string has at most 255: the distance is bounded by the longer one (250 and 300)
#include <algorithm>
#include <vector>
template <class T> static int by_diagonals(const unsigned char* a, const unsigned char* b, int n, int m) {
  std::vector<unsigned char> back(b, b + m);
  std::reverse(back.begin(), back.end());
  std::vector<T> one(n + 1), two(n + 1), three(n + 1);
  T *p2 = one.data(), *p1 = two.data(), *cur = three.data();
  p1[0] = 0;
  for (int k = 1; k <= n + m; ++k) {
    const int from = std::max(1, k - m), to = std::min(n, k - 1);
    if (k <= m) cur[0] = static_cast<T>(k);
    const unsigned char* s = a - 1;
    const unsigned char* r = back.data() + (m - k);
#pragma omp simd
    for (int i = from; i <= to; ++i) {
      const T change = static_cast<T>(p2[i - 1] + (s[i] != r[i] ? 1 : 0));
      const T least = p1[i - 1] < p1[i] ? p1[i - 1] : p1[i];
      const T step = static_cast<T>(least + 1);
      cur[i] = step < change ? step : change;
    }
    if (k <= n) cur[k] = static_cast<T>(k);
    T* t = p2;
    p2 = p1, p1 = cur, cur = t;
  }
  return p1[n];
}
int edit_distance(const unsigned char* a, const unsigned char* b, int n, int m) {
  if (n == 0 || m == 0) return n + m;
  return std::min(n, m) <= 255 ? by_diagonals<unsigned char>(a, b, n, m) : by_diagonals<int>(a, b, n, m);
}
