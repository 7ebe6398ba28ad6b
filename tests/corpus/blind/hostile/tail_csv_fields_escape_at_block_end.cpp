// kernel: csv_fields
// verdict: verify
// tries: bit masks of 64 bytes with runs of backslashes counted, but a backslash that ends a block escapes nothing in the next
#include <cstdint>
#include <cstring>
#include <emmintrin.h>
static inline std::uint64_t where(const unsigned char* s, char c) {
  const __m128i v = _mm_set1_epi8(c);
  std::uint64_t bits = 0;
  for (int k = 3; k >= 0; --k)
    bits = bits << 16 | static_cast<unsigned>(_mm_movemask_epi8(
                            _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(s + 16 * k)), v)));
  return bits;
}
static inline std::uint64_t parities(std::uint64_t b) {
  for (int k = 1; k < 64; k *= 2) b ^= b << k;
  return b;
}
static inline int rest(const unsigned char* s, int* pos, int n, int i, int count, bool quoted, bool escaped) {
  for (; i < n; ++i) {
    if (escaped) escaped = false;
    else if (s[i] == 92) escaped = true;
    else if (s[i] == 34) quoted = !quoted;
    else if (s[i] == 44 && !quoted) pos[count++] = i;
  }
  for (i = count; i < n; ++i) pos[i] = -1;
  return count;
}
int csv_fields(const unsigned char* s, int* pos, int n) {
  int count = 0, i = 0;
  std::uint64_t quoted = 0;
  for (; i + 64 <= n; i += 64) {
    std::uint64_t slashes = where(s + i, 92), escaped = 0;
    while (slashes != 0) {
      const std::uint64_t next = (slashes & (0 - slashes)) << 1;
      escaped |= next;
      slashes &= slashes - 1;
      slashes &= ~next;
    }
    const std::uint64_t inside = parities(where(s + i, 34) & ~escaped) ^ quoted;
    quoted = 0 - (inside >> 63);
    for (std::uint64_t f = where(s + i, 44) & ~escaped & ~inside; f != 0; f &= f - 1) pos[count++] = i + __builtin_ctzll(f);
  }
  return rest(s, pos, n, i, count, quoted != 0, false);
}
