// The remainders are taken once for as many bytes as cannot overflow.
std::uint32_t adler32(const unsigned char* bytes, int n) {
  std::uint32_t a = 1, b = 0;
  int i = 0;
  while (i < n) {
    const int end = n - i < 5552 ? n : i + 5552;
    for (; i < end; ++i) {
      a += bytes[i];
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return (b << 16) | a;
}
