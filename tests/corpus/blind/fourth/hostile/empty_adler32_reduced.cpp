// kernel: adler32
// verdict: wrong
// standard: c++20
// tries: remainders only every 5536 bytes, halves of the earlier checksum reduced once in front; sums of absolute differences and weighted sums
#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

static inline uint32_t sum_lanes(__m256i v) {
  __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
  return static_cast<uint32_t>(_mm_cvtsi128_si32(s));
}

uint32_t adler32(uint32_t earlier, std::span<const uint8_t> data) {
  const uint32_t prime = 65521;
  uint32_t a = (earlier & 0xffff) % prime;
  uint32_t b = (earlier >> 16) % prime;
  const uint8_t* p = data.data();
  size_t left = data.size();
  const __m256i weights = _mm256_setr_epi8(32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15,
                                           14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
  const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
  while (left >= 32) {
    // b + n a + 255 n (n + 1) / 2 stays below 2^32 for n = 5536.
    const size_t blocks = std::min<size_t>(left, 5536) / 32;
    __m256i sums = zero, before = zero, weighted = zero;
    for (size_t i = 0; i < blocks; ++i, p += 32) {
      const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
      before = _mm256_add_epi32(before, sums);
      sums = _mm256_add_epi32(sums, _mm256_sad_epu8(v, zero));
      weighted = _mm256_add_epi32(weighted, _mm256_madd_epi16(_mm256_maddubs_epi16(v, weights), ones));
    }
    const uint32_t length = static_cast<uint32_t>(blocks * 32);
    b = (b + length * a + 32 * sum_lanes(before) + sum_lanes(weighted)) % prime;
    a = (a + sum_lanes(sums)) % prime;
    left -= length;
  }
  for (; left > 0; --left) {
    a += *p++;
    b += a;
  }
  return b % prime << 16 | a % prime;
}
