// kernel: topk
// verdict: verify
// tries: keys of 64 bits made of the score's bits and the column: -0 comes behind a later +0, though they are equal
#include <cstdint>
#include <cstring>
#include <vector>
#include <emmintrin.h>
static inline std::uint64_t key_of(float v, int c) {
  std::uint32_t b;
  std::memcpy(&b, &v, 4);
  b = b >> 31 ? ~b : b | 0x80000000u;
  return static_cast<std::uint64_t>(b) << 32 | static_cast<std::uint32_t>(~c);
}
void topk(const float* s, int* idx, int rows, int cols, int k) {
  if (k <= 0) return;
  const int full = k < cols ? k : cols;
  std::vector<std::uint64_t> top(static_cast<std::size_t>(full) + 1);
  for (int r = 0; r < rows; ++r) {
    const float* row = s + static_cast<long>(r) * cols;
    int c = 0;
    for (; c < full; ++c) {
      const std::uint64_t key = key_of(row[c], c);
      int p = c;
      for (; p > 0 && key > top[p - 1]; --p) top[p] = top[p - 1];
      top[p] = key;
    }
    if (full > 0) {
      float least = row[static_cast<std::int32_t>(~static_cast<std::uint32_t>(top[full - 1]))];
      const auto insert = [&](int at) {
        if (!(row[at] > least)) return;
        const std::uint64_t key = key_of(row[at], at);
        int p = full - 1;
        for (; p > 0 && key > top[p - 1]; --p) top[p] = top[p - 1];
        top[p] = key;
        least = row[static_cast<std::int32_t>(~static_cast<std::uint32_t>(top[full - 1]))];
      };
      for (; c + 4 <= cols; c += 4) {
        if (_mm_movemask_ps(_mm_cmpgt_ps(_mm_loadu_ps(row + c), _mm_set1_ps(least))) == 0) continue;
        for (int t = 0; t < 4; ++t) insert(c + t);
      }
      for (; c < cols; ++c) insert(c);
    }
    for (int p = 0; p < full; ++p)
      idx[static_cast<long>(r) * k + p] = static_cast<int>(~static_cast<std::uint32_t>(top[p]));
    for (int p = full; p < k; ++p) idx[static_cast<long>(r) * k + p] = -1;
  }
}
