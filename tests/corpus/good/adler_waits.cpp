// kernel: adler
// verdict: right
// tries: the remainder every 5552 bytes, as long as 255s do not overflow
#include <algorithm>
unsigned adler(const unsigned char* x, int n) {
  unsigned a = 1, b = 0;
  for (int i = 0; i < n;) {
    const int end = std::min(n, i + 5552);
    for (; i < end; ++i) b += a += x[i];
    a %= 65521;
    b %= 65521;
  }
  return b << 16 | a;
}
