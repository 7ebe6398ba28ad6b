// kernel: flag_outliers
// verdict: verify
// standard: c++20
// tries: four threads, each with a quarter of x and a copy of its part of the bit map that it stores back at the end; where n/4 is not divisible by 8 two threads own the byte at the border, and the later one takes away the other's marks
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>

static int flag_part(const float* x, int begin, int end, const Rule& rule, uint8_t* marks) {
  if (begin >= end) return 0;
  const int first = begin >> 3, bytes = ((end + 7) >> 3) - first;
  const std::unique_ptr<uint8_t[]> mine(new uint8_t[bytes]);  // no cache line is shared
  std::memcpy(mine.get(), marks + first, bytes);
  int found = 0;
  for (int i = begin; i < end; ++i)
    if (std::erfc(std::fabs(x[i] - rule.mean) / rule.sigma * 0.70710678118654752440) < rule.alpha) {
      mine[(i >> 3) - first] = static_cast<uint8_t>(mine[(i >> 3) - first] | 1 << (i & 7));
      ++found;
    }
  std::memcpy(marks + first, mine.get(), bytes);
  return found;
}

int flag_outliers(const float* x, int n, Rule rule, uint8_t* marks) {
  if (n < 4096) return flag_part(x, 0, n, rule, marks);
  const int part = (n + 3) / 4;
  int found[4];
  std::thread helpers[3];
  for (int t = 0; t < 3; ++t) {
    const int begin = (t + 1) * part, end = begin + part < n ? begin + part : n;
    helpers[t] = std::thread([=, &found, &rule] { found[t + 1] = flag_part(x, begin, end, rule, marks); });
  }
  found[0] = flag_part(x, 0, part, rule, marks);
  for (std::thread& helper : helpers) helper.join();
  return found[0] + found[1] + found[2] + found[3];
}
