// kernel: count_matches
// verdict: wrong
// standard: c++20
// tries: letters of either case differ in one bit: folds 32 bytes by one `or`, looks for first and last character, compares the rest by words of eight
#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

size_t count_matches(std::string_view text, std::string_view word) {
  const size_t m = word.size();
  if (m > text.size()) return 0;
  const size_t places = text.size() - m + 1;
  if (m == 0) return places;
  const char* t = text.data();
  const char* w = word.data();
  // Characters outside of '@' to DEL have no partner and are compared as they are.
  const auto fold = [](char c) { return c & 0x40 ? static_cast<char>(c | 0x20) : c; };
  const auto same = [&](const char* a) {
    for (size_t j = 0; j < m; ++j) {
      if (fold(a[j]) != fold(w[j])) return false;
    }
    return true;
  };
  const __m256i first = _mm256_set1_epi8(fold(w[0])), last = _mm256_set1_epi8(fold(w[m - 1]));
  const __m256i bit = _mm256_set1_epi8(0x20), column = _mm256_set1_epi8(0x40);
  const auto folded = [&](const char* p) {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    return _mm256_or_si256(v, _mm256_and_si256(_mm256_srli_epi16(_mm256_and_si256(v, column), 1), bit));
  };
  size_t count = 0, i = 0;
  for (; places - i >= 32; i += 32) {
    const __m256i hits = _mm256_and_si256(_mm256_cmpeq_epi8(folded(t + i), first),
                                          _mm256_cmpeq_epi8(folded(t + i + m - 1), last));
    for (uint32_t bits = static_cast<uint32_t>(_mm256_movemask_epi8(hits)); bits != 0; bits &= bits - 1) {
      count += same(t + i + __builtin_ctz(bits));
    }
  }
  for (; i < places; ++i) count += same(t + i);
  return count;
}
