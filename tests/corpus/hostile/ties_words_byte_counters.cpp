// kernel: words
// verdict: verify
// tries: counters in bytes that are emptied every 256 blocks, one too late: a page of empty lines counts as none
#include <emmintrin.h>
void words(const unsigned char* text, int* counts, int n) {
  int lines = 0, words = 0, letters = 0, i = 0;
  const __m128i newline = _mm_set1_epi8('\n');
  while (i + 16 <= n) {
    __m128i few = _mm_setzero_si128();
    for (int k = 0; k < 256 && i + 16 <= n; ++k, i += 16)
      few = _mm_sub_epi8(few, _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i)), newline));
    const __m128i sums = _mm_sad_epu8(few, _mm_setzero_si128());
    lines += _mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4);
  }
  for (; i < n; ++i) lines += text[i] == '\n';
  bool inside = false;
  for (int k = 0; k < n; ++k) {
    const unsigned char c = text[k];
    const bool black = c != ' ' && c != '\n' && c != '\t';
    words += black && !inside;
    inside = black;
    letters += static_cast<unsigned char>((c | 32) - 'a') < 26;
  }
  counts[0] = lines;
  counts[1] = words;
  counts[2] = letters;
}
