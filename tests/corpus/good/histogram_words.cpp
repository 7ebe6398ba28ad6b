// kernel: histogram
// verdict: right
// tries: eight bytes in one load, taken apart by shifts
#include <array>
#include <cstdint>
#include <cstring>
void histogram(const unsigned char* data, int* counts, int n) {
  std::array<std::array<std::uint32_t, 256>, 2> t{};
  const unsigned char* const end = data + (n > 0 ? n : 0);
  while (end - data >= 8) {
    std::uint64_t w;
    std::memcpy(&w, data, sizeof w);
    for (unsigned k = 0; k < 8; ++k, w >>= 8) ++t[k & 1][w & 0xff];
    data += 8;
  }
  while (data != end) ++t[0][*data++];
  for (std::size_t v = 0; v < 256; ++v) counts[v] += static_cast<int>(t[0][v] + t[1][v]);
}
