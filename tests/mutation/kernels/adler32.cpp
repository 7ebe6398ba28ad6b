// Two sums modulo a prime, one of them of the other.
#include <cstdint>

#pragma hone kernel in(bytes[0 : n]) problem(n = 60000) problem(n = 20011)
std::uint32_t adler32(const unsigned char* bytes, int n) {
  std::uint32_t a = 1, b = 0;
  for (int i = 0; i < n; ++i) {
    a += bytes[i];
    if (a >= 65521) a -= 65521;
    b += a;
    if (b >= 65521) b -= 65521;
  }
  return (b << 16) | a;
}
