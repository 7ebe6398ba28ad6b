// Adler-32, continued from an earlier checksum.
#include <cstddef>
#include <cstdint>
#include <span>

#pragma hone kernel in(data[0:data.size()]) problem(data.size()=65536) problem(data.size()=777) \
    init(earlier: uniform(0, 4294967295))
uint32_t adler32(uint32_t earlier, std::span<const uint8_t> data) {
  const uint32_t prime = 65521;
  uint32_t a = earlier & 0xffff;
  uint32_t b = earlier >> 16;
  for (size_t i = 0; i < data.size(); ++i) {
    a = (a + data[i]) % prime;
    b = (b + a) % prime;
  }
  return b << 16 | a;
}
