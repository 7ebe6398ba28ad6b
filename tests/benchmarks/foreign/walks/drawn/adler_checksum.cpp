// The Adler-32 checksum of a buffer, by for (;;) over blocks, and do ... while (--block) over a walking byte pointer.
#include <cstdint>

#pragma hone kernel in(buf[0:len]) out(sum[0:1]) problem(len=20001)
void adler_checksum(const uint8_t* buf, int len, uint32_t* sum) {
  const uint32_t base = 65521;
  const int longest = 5552;  // no 32-bit overflow within so many bytes
  uint32_t lo = 1;
  uint32_t hi = 0;
  for (;;) {
    int block = len < longest ? len : longest;
    if (block <= 0) break;
    len -= block;
    do {
      lo += *buf++;
      hi += lo;
    } while (--block);
    lo %= base;
    hi %= base;
  }
  *sum = hi << 16 | lo;
}
