// How often a word stands in a text, whatever the case of its letters (ASCII). Matches may overlap.
#include <cstddef>
#include <string_view>

static inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

#pragma hone kernel in(text[0:text.size()], word[0:word.size()]) \
    problem(text.size()=60000, word.size()=5) problem(text.size()=801, word.size()=3) \
    init(text: uniform(32, 126), word: uniform(32, 126))
size_t count_matches(std::string_view text, std::string_view word) {
  size_t count = 0;
  for (size_t i = 0; i + word.size() <= text.size(); ++i) {
    size_t j = 0;
    while (j < word.size() && lower(text[i + j]) == lower(word[j])) ++j;
    if (j == word.size()) ++count;
  }
  return count;
}
