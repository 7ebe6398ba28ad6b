// kernel: resize_bilinear
// verdict: right
// tries: columns and weights from a table; each source row is stretched once into 16 bits and kept for the next rows
#include <cstdint>
#include <utility>
#include <vector>
namespace {
struct Column {
  int left, right;
  std::uint16_t weight;
};
void stretch(const unsigned char* row, const Column* columns, std::uint16_t* to, int dw) {
  for (int x = 0; x < dw; ++x) {
    const Column& c = columns[x];
    to[x] = static_cast<std::uint16_t>(row[c.left] * (256 - c.weight) + row[c.right] * c.weight);  // At most 65280.
  }
}
}  // namespace
void resize_bilinear(const unsigned char* __restrict src, unsigned char* __restrict dst, int sw, int sh, int dw, int dh) {
  if (sw < 1 || sh < 1 || dw < 1 || dh < 1) return;
  const long long stepx = dw > 1 ? (sw - 1LL) * 65536 / (dw - 1) : 0, stepy = dh > 1 ? (sh - 1LL) * 65536 / (dh - 1) : 0;
  std::vector<Column> columns(dw);
  for (int x = 0; x < dw; ++x) {
    const long long p = x * stepx;
    const int left = static_cast<int>(p >> 16);
    columns[x] = {left, left + 1 < sw ? left + 1 : left, static_cast<std::uint16_t>(p >> 8 & 255)};
  }
  std::vector<std::uint16_t> upper(dw), lower(dw);
  int in_upper = -1, in_lower = -1;
  for (int y = 0; y < dh; ++y) {
    const long long p = y * stepy;
    const int y0 = static_cast<int>(p >> 16), y1 = y0 + 1 < sh ? y0 + 1 : y0;
    const std::uint32_t down = p >> 8 & 255, up = 256 - down;
    if (in_upper != y0) {
      if (in_lower == y0) {
        std::swap(upper, lower);
        std::swap(in_upper, in_lower);
      } else {
        stretch(src + static_cast<long>(y0) * sw, columns.data(), upper.data(), dw);
        in_upper = y0;
      }
    }
    if (in_lower != y1) {
      stretch(src + static_cast<long>(y1) * sw, columns.data(), lower.data(), dw);
      in_lower = y1;
    }
    const std::uint16_t *a = upper.data(), *b = lower.data();
    unsigned char* to = dst + static_cast<long>(y) * dw;
    for (int x = 0; x < dw; ++x) to[x] = static_cast<unsigned char>((a[x] * up + b[x] * down + 32768) >> 16);
  }
}
