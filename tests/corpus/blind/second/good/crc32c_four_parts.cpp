// kernel: crc32c
// verdict: right
// tries: four parts of the data side by side by tables of half bytes, joined by products of polynomials
#include <cstdint>
static const std::uint32_t nibble[16] = {
    0x00000000u, 0x105EC76Fu, 0x20BD8EDEu, 0x30E349B1u, 0x417B1DBCu, 0x5125DAD3u, 0x61C69362u, 0x7198540Du,
    0x82F63B78u, 0x92A8FC17u, 0xA24BB5A6u, 0xB21572C9u, 0xC38D26C4u, 0xD3D3E1ABu, 0xE330A81Au, 0xF36E6F75u};
static inline std::uint32_t add(std::uint32_t c, unsigned char byte) {
  c ^= byte;
  c = c >> 4 ^ nibble[c & 15];
  return c >> 4 ^ nibble[c & 15];
}
// a * b modulo the polynomial; the highest bit stands for x^0.
static std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t p = 0;
  for (int i = 31; i >= 0; --i) {
    p ^= (0u - (a >> i & 1)) & b;
    b = b >> 1 ^ ((0u - (b & 1)) & 0x82F63B78u);
  }
  return p;
}
// x^(8 * bytes): what that many zero bytes multiply a remainder with.
static std::uint32_t shift(unsigned bytes) {
  std::uint32_t power = 0x80000000u, square = 0x00800000u;  // 1 and x^8.
  for (; bytes; bytes >>= 1, square = product(square, square))
    if (bytes & 1) power = product(power, square);
  return power;
}
unsigned crc32c(const unsigned char* data, int n, unsigned crc) {
  std::uint32_t c = ~crc;
  int i = 0;
  if (n >= 1024) {
    const int part = n / 4;
    std::uint32_t c1 = 0, c2 = 0, c3 = 0;
    for (; i < part; ++i) {
      c = add(c, data[i]);
      c1 = add(c1, data[i + part]);
      c2 = add(c2, data[i + 2 * part]);
      c3 = add(c3, data[i + 3 * part]);
    }
    const std::uint32_t by = shift(static_cast<unsigned>(part));
    c = product(c, by) ^ c1;
    c = product(c, by) ^ c2;
    c = product(c, by) ^ c3;
    i = 4 * part;
  }
  for (; i < n; ++i) c = add(c, data[i]);
  return ~c;
}
