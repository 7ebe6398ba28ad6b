// kernel: count_matches
// verdict: right
// standard: c++20
// tries: looks for the word's first and last character at 32 places at once, in either case, and compares the rest where both are met
#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

static inline char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; }

static inline bool same_word(const char* text, const char* word, size_t from, size_t to) {
  for (size_t j = from; j < to; ++j) {
    if (lower(text[j]) != lower(word[j])) return false;
  }
  return true;
}

size_t count_matches(std::string_view text, std::string_view word) {
  const size_t m = word.size();
  if (m > text.size()) return 0;
  const size_t places = text.size() - m + 1;
  if (m == 0) return places;
  const char* t = text.data();
  const char first = word[0], last = word[m - 1];
  const __m256i f0 = _mm256_set1_epi8(lower(first)), f1 = _mm256_set1_epi8(upper(first));
  const __m256i l0 = _mm256_set1_epi8(lower(last)), l1 = _mm256_set1_epi8(upper(last));
  size_t count = 0, i = 0;
  for (; places - i >= 32; i += 32) {
    const __m256i head = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(t + i));
    const __m256i tail = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(t + i + m - 1));
    const __m256i heads = _mm256_or_si256(_mm256_cmpeq_epi8(head, f0), _mm256_cmpeq_epi8(head, f1));
    const __m256i tails = _mm256_or_si256(_mm256_cmpeq_epi8(tail, l0), _mm256_cmpeq_epi8(tail, l1));
    uint32_t bits = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_and_si256(heads, tails)));
    if (m <= 2) {
      count += static_cast<size_t>(__builtin_popcount(bits));
      continue;
    }
    for (; bits != 0; bits &= bits - 1) {
      count += same_word(t + i + __builtin_ctz(bits), word.data(), 1, m - 1);
    }
  }
  for (; i < places; ++i) count += same_word(t + i, word.data(), 0, m);
  return count;
}
