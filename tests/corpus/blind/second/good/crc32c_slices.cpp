// kernel: crc32c
// verdict: right
// tries: eight bytes a step through eight tables that the compiler fills
#include <cstdint>
#include <cstring>
namespace {
struct Tables {
  std::uint32_t t[8][256];
  constexpr Tables() : t() {
    for (unsigned i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = c & 1 ? c >> 1 ^ 0x82F63B78u : c >> 1;
      t[0][i] = c;
    }
    for (unsigned i = 0; i < 256; ++i)
      for (int s = 1; s < 8; ++s) t[s][i] = t[s - 1][i] >> 8 ^ t[0][t[s - 1][i] & 255];
  }
};
constexpr Tables tables;
}  // namespace
unsigned crc32c(const unsigned char* data, int n, unsigned crc) {
  const auto& t = tables.t;
  std::uint32_t c = ~crc;
  int i = 0;
  for (; n - i >= 8; i += 8) {
    std::uint32_t a, b;
    std::memcpy(&a, data + i, 4);
    std::memcpy(&b, data + i + 4, 4);
    a ^= c;
    c = t[7][a & 255] ^ t[6][a >> 8 & 255] ^ t[5][a >> 16 & 255] ^ t[4][a >> 24] ^  //
        t[3][b & 255] ^ t[2][b >> 8 & 255] ^ t[1][b >> 16 & 255] ^ t[0][b >> 24];
  }
  for (; i < n; ++i) c = c >> 8 ^ t[0][(c ^ data[i]) & 255];
  return ~c;
}
