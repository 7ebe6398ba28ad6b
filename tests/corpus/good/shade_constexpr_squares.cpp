// kernel: shade
// standard: c++17
// verdict: right
// tries: a constexpr table of squares
#include <array>
#include <cstdint>
namespace {
constexpr auto kSquares = [] {
  std::array<std::uint16_t, 256> squares{};
  for (unsigned v = 0; v < 256; ++v) squares[v] = static_cast<std::uint16_t>(v * v);
  return squares;
}();
static_assert(kSquares[255] == 65025);
}  // namespace
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  const std::uint32_t g = static_cast<std::uint32_t>(gain) & 0xffu;
  for (int i = 0; i < n; ++i) dst[i] = static_cast<unsigned char>((kSquares[src[i]] * g / 255u + 127u) / 255u);
}
