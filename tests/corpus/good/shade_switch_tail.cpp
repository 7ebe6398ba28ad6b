// kernel: shade
// verdict: right
// tries: a table behind a switch over the tail
#include <cstddef>
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  unsigned char t[256], *p = t;
  for (unsigned v = 0; p != t + 256; ++v) *p++ = (v * v * (gain & 255u) / 255u + 127u) / 255u;
  std::ptrdiff_t i = 0;
  for (; i < (n & ~7); i += 8)
#define B(k) dst[i + k] = t[src[i + k]]
    B(0), B(1), B(2), B(3), B(4), B(5), B(6), B(7);
  switch (n & 7) {
    case 7: B(6); [[fallthrough]];
    case 6: B(5); [[fallthrough]];
    case 5: B(4); [[fallthrough]];
    case 4: B(3); [[fallthrough]];
    case 3: B(2); [[fallthrough]];
    case 2: B(1); [[fallthrough]];
    case 1: B(0); [[fallthrough]];
    default: break;
  }
#undef B
}
