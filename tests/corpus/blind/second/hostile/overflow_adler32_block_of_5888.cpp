// kernel: adler32
// verdict: verify
// tries: the remainders once for 5888 bytes, 5552 rounded up to whole lines: sums of 32 bits overflow where nearly all bytes are 255
unsigned adler32(const unsigned char* s, int n, unsigned start) {
  unsigned a = start & 0xFFFF, b = start >> 16;
  if (n <= 0) return start;
  while (n > 0) {
    int block = n < 5888 ? n : 5888;
    n -= block;
    for (; block >= 8; block -= 8, s += 8) {
      b += 8 * a + 8u * s[0] + 7u * s[1] + 6u * s[2] + 5u * s[3] + 4u * s[4] + 3u * s[5] + 2u * s[6] + s[7];
      a += (static_cast<unsigned>(s[0]) + s[1] + s[2] + s[3]) + (static_cast<unsigned>(s[4]) + s[5] + s[6] + s[7]);
    }
    for (; block > 0; --block) a += *s++, b += a;
    a %= 65521;
    b %= 65521;
  }
  return b << 16 | a;
}
