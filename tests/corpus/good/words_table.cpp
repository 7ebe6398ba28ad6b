// kernel: words
// standard: c++17
// verdict: right
// tries: the kind of each byte from a table that is made while compiling
#include <array>
static constexpr std::array<unsigned char, 256> kinds() {
  std::array<unsigned char, 256> table{};
  for (int c = 0; c < 256; ++c) {
    const int low = c | 32;
    table[c] = static_cast<unsigned char>((c == '\n') | (c != ' ' && c != '\n' && c != '\t') << 1 |
                                          (low >= 'a' && low <= 'z') << 2);
  }
  return table;
}
static constexpr std::array<unsigned char, 256> kind_of = kinds();
void words(const unsigned char* text, int* counts, int n) {
  int lines = 0, words = 0, letters = 0, before = 0;
  for (int i = 0; i < n; ++i) {
    const int kind = kind_of[text[i]];
    lines += kind & 1;
    words += (kind & ~before) >> 1 & 1;
    letters += kind >> 2;
    before = kind;
  }
  counts[0] = lines;
  counts[1] = words;
  counts[2] = letters;
}
