// kernel: crc32c
// verdict: right
// tries: the processor's instruction for this very polynomial where it has SSE4.2, else a table made on the stack
#include <immintrin.h>
#include <cstdint>
#include <cstring>
__attribute__((target("sse4.2"))) static std::uint32_t fast(const unsigned char* data, int n, std::uint32_t crc) {
  std::uint64_t c = crc;
  int i = 0;
  for (; i < n && (reinterpret_cast<std::uintptr_t>(data + i) & 7); ++i) c = _mm_crc32_u8(static_cast<std::uint32_t>(c), data[i]);
  for (; n - i >= 8; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, data + i, 8);
    c = _mm_crc32_u64(c, word);
  }
  std::uint32_t end = static_cast<std::uint32_t>(c);
  for (; i < n; ++i) end = _mm_crc32_u8(end, data[i]);
  return end;
}
unsigned crc32c(const unsigned char* data, int n, unsigned crc) {
  if (__builtin_cpu_supports("sse4.2")) return ~fast(data, n, ~crc);
  std::uint32_t table[256];
  for (unsigned i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) * 0x82F63B78u ^ c >> 1;
    table[i] = c;
  }
  std::uint32_t c = ~crc;
  for (int i = 0; i < n; ++i) c = c >> 8 ^ table[(c ^ data[i]) & 255];
  return ~c;
}
