// kernel: adler32
// verdict: verify
// tries: one subtraction for each remainder: too little where start's upper half is 65521 or more (start = 0xFFFFFFF0 and one byte 0)
unsigned adler32(const unsigned char* s, int n, unsigned start) {
  unsigned a = start & 0xFFFF, b = start >> 16;
  for (int i = 0; i < n; ++i) {
    a += s[i];
    const unsigned less = a - 65521;
    a = a < 65521 ? a : less;
    b += a;
    const unsigned rest = b - 65521;
    b = b < 65521 ? b : rest;
  }
  return b << 16 | a;
}
