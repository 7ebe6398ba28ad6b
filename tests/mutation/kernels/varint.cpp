// Seven bits a byte, the eighth says that more follow; the result is the number of bytes.
#include <cstdint>

#pragma hone kernel in(values[0 : n]) inout(bytes[0 : 5 * n]) problem(n = 12000) problem(n = 4999)
int varint(const std::uint32_t* values, unsigned char* bytes, int n) {
  int at = 0;
  for (int i = 0; i < n; ++i) {
    std::uint32_t value = values[i];
    while (value >= 128) {
      bytes[at++] = static_cast<unsigned char>((value & 127) | 128);
      value >>= 7;
    }
    bytes[at++] = static_cast<unsigned char>(value);
  }
  return at;
}
