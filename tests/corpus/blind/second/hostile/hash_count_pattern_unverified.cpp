// kernel: count_pattern
// verdict: verify
// tries: Rabin's and Karp's rolling hash in 32 bits that wrap, believed without a look at the text: the sequence of Thue and Morse and its complement have one hash from 128 letters on
#include <cstdint>
int count_pattern(const unsigned char* text, const unsigned char* pattern, int n, int m) {
  if (m <= 0) return m == 0 && n >= 0 ? n + 1 : 0;
  if (n < m) return 0;
  constexpr std::uint32_t base = 16777619u;
  std::uint32_t wanted = 0, hash = 0, power = 1;
  for (int k = 0; k < m; ++k) {
    wanted = wanted * base + pattern[k];
    hash = hash * base + text[k];
    power *= base;
  }
  std::uint32_t gone[256];
  for (int c = 0; c < 256; ++c) gone[c] = power * static_cast<std::uint32_t>(c);
  int count = hash == wanted;
  for (int i = m; i < n; ++i) {
    hash = hash * base + (text[i] - gone[text[i - m]]);
    count += hash == wanted;
  }
  return count;
}
