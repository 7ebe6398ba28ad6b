// kernel: box_blur
// verdict: verify
// tries: 1024 reciprocals in a table, the last of them for all wider windows: wrong for rows of more than 1024 pixels under a radius of 600
#include <cstdint>
namespace {
struct Reciprocals {
  std::uint32_t of[1025];
  constexpr Reciprocals() : of() {
    of[1] = 0;
    for (std::uint32_t c = 2; c <= 1024; ++c) of[c] = static_cast<std::uint32_t>((std::uint64_t(1) << 32) / c + 1);
  }
};
constexpr Reciprocals reciprocals;
}  // namespace
void box_blur(const unsigned char* src, unsigned char* dst, int w, int h, int r) {
  if (r < 0) r = 0;
  if (r > w) r = w;
  if (r == 0) {
    for (long i = 0; i < static_cast<long>(w) * h; ++i) dst[i] = src[i];
    return;
  }
  for (int y = 0; y < h; ++y) {
    const unsigned char* s = src + static_cast<long>(y) * w;
    unsigned char* d = dst + static_cast<long>(y) * w;
    unsigned sum = 0, count = 0;
    for (int i = 0; i < r && i < w; ++i) sum += s[i], ++count;
    for (int x = 0; x < w; ++x) {
      if (x + r < w) sum += s[x + r], ++count;
      if (x - r > 0) sum -= s[x - r - 1], --count;
      const std::uint64_t factor = reciprocals.of[count < 1024 ? count : 1024];
      d[x] = count == 1 ? static_cast<unsigned char>(sum) : static_cast<unsigned char>((sum + count / 2) * factor >> 32);
    }
  }
}
