// kernel: count_pattern
// verdict: verify
// tries: the pattern as its first and its last word, which overlap: of a pattern longer than 16 the middle is not compared
#include <cstdint>
#include <cstring>
namespace {
template <class Word> Word word(const unsigned char* p) {
  Word w;
  std::memcpy(&w, p, sizeof w);
  return w;
}
template <class Word> int count(const unsigned char* text, const unsigned char* pattern, int n, int m) {
  const int back = m - static_cast<int>(sizeof(Word));
  const Word first = word<Word>(pattern), last = word<Word>(pattern + back);
  int found = 0;
  for (int i = 0; i + m <= n; ++i) found += ((word<Word>(text + i) ^ first) | (word<Word>(text + i + back) ^ last)) == 0;
  return found;
}
}  // namespace
int count_pattern(const unsigned char* text, const unsigned char* pattern, int n, int m) {
  if (m <= 0) return m == 0 && n >= 0 ? n + 1 : 0;
  if (m == 1) return count<std::uint8_t>(text, pattern, n, m);
  if (m < 4) return count<std::uint16_t>(text, pattern, n, m);
  if (m < 8) return count<std::uint32_t>(text, pattern, n, m);
  return count<std::uint64_t>(text, pattern, n, m);
}
