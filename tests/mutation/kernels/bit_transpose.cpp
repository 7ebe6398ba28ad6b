// Each word is a matrix of eight by eight bits, which is transposed.
#include <cstdint>

#pragma hone kernel in(from[0 : n]) out(to[0 : n]) alias(from, to) problem(n = 3000) problem(n = 1009)
void bit_transpose(const std::uint64_t* from, std::uint64_t* to, int n) {
  for (int i = 0; i < n; ++i) {
    const std::uint64_t word = from[i];
    std::uint64_t turned = 0;
    for (int row = 0; row < 8; ++row) {
      for (int column = 0; column < 8; ++column) {
        turned |= ((word >> (row * 8 + column)) & 1) << (column * 8 + row);
      }
    }
    to[i] = turned;
  }
}
