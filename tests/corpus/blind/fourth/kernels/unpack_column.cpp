// Decodes a column that is stored as differences to a base, each of `width` bits, lowest bits first.
#include <cstddef>
#include <cstdint>

#pragma hone kernel in(packed[0:((size_t)n*width+7)/8]) out(values[0:n]) \
    problem(n=40000, width=11) problem(n=333, width=19) requires(width >= 0 && width <= 32) \
    init(base: uniform(0, 4000000000))
void unpack_column(const uint8_t* packed, int width, uint32_t base, uint32_t* values, int n) {
  const uint64_t mask = (uint64_t{1} << width) - 1;
  uint64_t buffer = 0;
  int bits = 0;
  for (int i = 0; i < n; ++i) {
    while (bits < width) {
      buffer |= static_cast<uint64_t>(*packed++) << bits;
      bits += 8;
    }
    values[i] = base + static_cast<uint32_t>(buffer & mask);
    buffer >>= width;
    bits -= width;
  }
}
