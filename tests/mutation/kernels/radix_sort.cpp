// Least significant digit first, eight bits a pass; the last pass ends in `keys` again.
#include <cstdint>

static void scatter(const std::uint32_t* from, std::uint32_t* to, int n, int shift) {
  int start[257] = {};
  for (int i = 0; i < n; ++i) ++start[((from[i] >> shift) & 255) + 1];
  for (int d = 0; d < 256; ++d) start[d + 1] += start[d];
  for (int i = 0; i < n; ++i) to[start[(from[i] >> shift) & 255]++] = from[i];
}

#pragma hone kernel inout(keys[0 : n]) out(scratch[0 : n]) problem(n = 8000) problem(n = 5003)
void radix_sort(std::uint32_t* keys, std::uint32_t* scratch, int n) {
  for (int shift = 0; shift < 32; shift += 16) {
    scatter(keys, scratch, n, shift);
    scatter(scratch, keys, n, shift + 8);
  }
}
