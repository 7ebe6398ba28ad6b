// kernel: adler32
// verdict: verify
// tries: four quarters at once, put together by products of 32 bits: they overflow from 262212 bytes on
namespace {
constexpr unsigned base = 65521;
}
unsigned adler32(const unsigned char* s, int n, unsigned start) {
  unsigned a = start & 0xFFFF, b = start >> 16;
  const int quarter = n / 4;
  unsigned as[4] = {}, bs[4] = {};
  for (int i = 0; i < quarter;) {
    const int stop = quarter - i < 5552 ? quarter : i + 5552;
    for (; i < stop; ++i)
      for (int q = 0; q < 4; ++q) as[q] += s[q * quarter + i], bs[q] += as[q];
    for (int q = 0; q < 4; ++q) as[q] %= base, bs[q] %= base;
  }
  for (int q = 0; q < 4 && quarter > 0; ++q) {
    b = (b + static_cast<unsigned>(quarter) * (a % base) + bs[q]) % base;
    a = (a + as[q]) % base;
  }
  for (int i = 4 * quarter; i < n; ++i) {
    a = (a + s[i]) % base;
    b = (b + a) % base;
  }
  return b << 16 | a;
}
