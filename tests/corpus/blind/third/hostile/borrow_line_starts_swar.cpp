// kernel: line_starts
// verdict: verify
// standard: c++20
// tries: looks for line ends in four characters at once by (x - 1) & ~x & high; the borrow out of a found one also marks its right neighbour if that is one more: U+000B behind "\n" and U+000C behind "\r" within the same four become line ends
#include <cstdint>
#include <cstring>

int line_starts(const uint16_t* text, int n, int* starts) {
  const uint64_t ones = 0x0001000100010001ull, high = 0x8000800080008000ull;
  int k = 0, i = 0;
  starts[k++] = 0;
  for (; i + 4 <= n; i += 4) {
    uint64_t v;
    std::memcpy(&v, text + i, 8);
    const uint64_t lf = v ^ ones * '\n', cr = v ^ ones * '\r';
    uint64_t m = (((lf - ones) & ~lf) | ((cr - ones) & ~cr)) & high;
    while (m) {
      const int at = i + (__builtin_ctzll(m) >> 4);
      m &= m - 1;
      if (text[at] == '\r' && at + 1 < n && text[at + 1] == '\n') continue;
      starts[k++] = at + 1;
    }
  }
  for (; i < n; ++i)
    if (text[i] == '\n' || (text[i] == '\r' && !(i + 1 < n && text[i + 1] == '\n'))) starts[k++] = i + 1;
  return k;
}
