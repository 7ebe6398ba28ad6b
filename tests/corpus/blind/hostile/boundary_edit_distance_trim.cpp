// kernel: edit_distance
// verdict: verify
// tries: to cut off what the strings begin and end with in common, and bit vectors for the rest: "xaay" and "xaaay", whose common ends overlap
#include <algorithm>
#include <cstdint>
#include <vector>
int edit_distance(const unsigned char* a, const unsigned char* b, int n, int m) {
  const int least = std::min(n, m);
  int head = 0, tail = 0;
  while (head < least && a[head] == b[head]) ++head;
  if (head == least) return std::max(n, m) - least;
  while (tail < least && a[n - 1 - tail] == b[m - 1 - tail]) ++tail;
  if (tail == least) return std::max(n, m) - least;
  a += head, b += head;
  n -= head + tail, m -= head + tail;
  if (n <= 0) return m;
  if (m <= 0) return n;
  const int blocks = (n + 63) / 64;
  std::vector<std::uint64_t> eq(static_cast<std::size_t>(blocks) * 256), pv(blocks, ~std::uint64_t(0)), mv(blocks, 0);
  for (int i = 0; i < n; ++i) eq[static_cast<std::size_t>(i / 64) * 256 + a[i]] |= std::uint64_t(1) << (i % 64);
  int score = n;
  for (int j = 0; j < m; ++j) {
    int in = 1;
    for (int k = 0; k < blocks; ++k) {
      std::uint64_t e = eq[static_cast<std::size_t>(k) * 256 + b[j]];
      const std::uint64_t p = pv[k], q = mv[k], x = e | q;
      if (in < 0) e |= 1;
      const std::uint64_t h = (((e & p) + p) ^ p) | e;
      std::uint64_t ph = q | ~(h | p), mh = p & h;
      const int top = k == blocks - 1 ? (n - 1) % 64 : 63;
      const int out = static_cast<int>(ph >> top & 1) - static_cast<int>(mh >> top & 1);
      ph <<= 1, mh <<= 1;
      if (in < 0) mh |= 1;
      if (in > 0) ph |= 1;
      pv[k] = mh | ~(x | ph);
      mv[k] = ph & x;
      in = out;
    }
    score += in;
  }
  return score;
}
