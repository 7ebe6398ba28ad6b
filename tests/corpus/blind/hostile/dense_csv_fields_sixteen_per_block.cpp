// kernel: csv_fields
// verdict: verify
// tries: to write out the positions of 64 bytes eight at a time, and eight more if there are more: the seventeenth comma of a block is lost
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
  bool carry = false;
  for (; i + 64 <= n; i += 64) {
    std::uint64_t slashes = where(s + i, 92), escaped = carry ? 1 : 0;
    slashes &= ~escaped;
    carry = false;
    while (slashes != 0) {
      const std::uint64_t low = slashes & (0 - slashes);
      if (low >> 63) carry = true;
      escaped |= low << 1;
      slashes &= ~(low | low << 1);
    }
    const std::uint64_t inside = parities(where(s + i, 34) & ~escaped) ^ quoted;
    quoted = 0 - (inside >> 63);
    std::uint64_t f = where(s + i, 44) & ~escaped & ~inside;
    for (int round = 0; round < 2 && f != 0; ++round)
      for (int t = 0; t < 8 && f != 0; ++t, f &= f - 1) pos[count++] = i + __builtin_ctzll(f);
  }
  return rest(s, pos, n, i, count, quoted != 0, carry);
}
