// kernel: varint
// verdict: right
// tries: one and two bytes apart, as most values have them, and a loop for the rest
#include <cstring>
int varint(const unsigned* values, unsigned char* bytes, int n) {
  unsigned char* at = bytes;
  for (int i = 0; i < n; ++i) {
    unsigned v = values[i];
    if (v < 128) {
      *at++ = static_cast<unsigned char>(v);
    } else if (v < 16384) {
      at[0] = static_cast<unsigned char>(v | 128);
      at[1] = static_cast<unsigned char>(v >> 7);
      at += 2;
    } else {
      for (; v > 127; v >>= 7) *at++ = static_cast<unsigned char>(v | 128);
      *at++ = static_cast<unsigned char>(v);
    }
  }
  const int length = static_cast<int>(at - bytes);
  if (5 * n > length) std::memset(at, 0, 5 * n - length);
  return length;
}
