// kernel: adler
// verdict: verify
// tries: to take the remainder every 7000 bytes: enough for text, but 255s overflow
#include <algorithm>
unsigned adler(const unsigned char* x, int n) {
  unsigned a = 1, b = 0;
  for (int i = 0; i < n;) {
    const int end = std::min(n, i + 7000);
    for (; i < end; ++i) b += a += x[i];
    a %= 65521;
    b %= 65521;
  }
  return b << 16 | a;
}
