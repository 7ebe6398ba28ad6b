// kernel: shade
// verdict: right
// tries: division by 255 through shifts, eight bytes at a time
#include <cstdint>
#include <cstring>
static inline std::uint32_t by255(std::uint32_t v) { return static_cast<std::uint32_t>((std::uint64_t{v} * 0x80808081u) >> 39); }
void shade(const unsigned char* src, unsigned char* dst, int n, int gain) {
  const std::uint32_t g = gain & 255;
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    std::uint64_t word, out = 0;
    std::memcpy(&word, src + i, 8);
    for (int k = 0; k < 64; k += 8) {
      const std::uint32_t v = (word >> k) & 255;
      out |= std::uint64_t{by255(by255(v * v * g) + 127)} << k;
    }
    std::memcpy(dst + i, &out, 8);
  }
  while (i < n) {
    const std::uint32_t v = src[i];
    dst[i++] = static_cast<unsigned char>(by255(by255(v * v * g) + 127));
  }
}
