// Adler's checksum, going on from that of the bytes before (1 at first).
#pragma hone kernel in(s[0:n]) problem(n = 100000) init(start: uniform(0, 4294967295))
unsigned adler32(const unsigned char* s, int n, unsigned start) {
  unsigned a = start & 0xFFFF, b = start >> 16;
  for (int i = 0; i < n; ++i) {
    a = (a + s[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}
