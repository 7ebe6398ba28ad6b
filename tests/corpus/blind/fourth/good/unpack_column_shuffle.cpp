// kernel: unpack_column
// verdict: right
// standard: c++20
// tries: eight values begin at a byte: a byte shuffle and a shift per lane up to 25 bits, 64-bit words above; plain code at the end
#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

static void unpack_plain(const uint8_t* packed, int width, uint32_t base, uint32_t* values, int n) {
  const uint64_t mask = (uint64_t{1} << width) - 1;
  uint64_t buffer = 0;
  int bits = 0;
  for (int i = 0; i < n; ++i) {
    while (bits < width) {
      buffer |= static_cast<uint64_t>(*packed++) << bits;
      bits += 8;
    }
    values[i] = base + static_cast<uint32_t>(buffer & mask);
    buffer >>= width;
    bits -= width;
  }
}

void unpack_column(const uint8_t* packed, int width, uint32_t base, uint32_t* values, int n) {
  if (n <= 0) return;
  if (width == 0) {
    std::fill(values, values + n, base);
    return;
  }
  const ptrdiff_t bytes = static_cast<ptrdiff_t>((static_cast<uint64_t>(n) * width + 7) / 8);
  const uint64_t mask = (uint64_t{1} << width) - 1;
  ptrdiff_t at = 0;
  int i = 0;
  if (width <= 25) {
    // Values 0 to 3 lie in the 16 bytes from `at`, values 4 to 7 in those from `at + half`.
    const int half = 4 * width / 8;
    alignas(32) uint8_t order[32];
    alignas(32) uint32_t shift[8];
    for (int j = 0; j < 8; ++j) {
      const int bit = j * width - (j < 4 ? 0 : 8 * half);
      for (int b = 0; b < 4; ++b) order[4 * j + b] = static_cast<uint8_t>(bit / 8 + b);
      shift[j] = bit % 8;
    }
    const __m256i orders = _mm256_load_si256(reinterpret_cast<const __m256i*>(order));
    const __m256i shifts = _mm256_load_si256(reinterpret_cast<const __m256i*>(shift));
    const __m256i masks = _mm256_set1_epi32(static_cast<int>(mask));
    const __m256i bases = _mm256_set1_epi32(static_cast<int>(base));
    for (; n - i >= 8 && at + half + 16 <= bytes; i += 8, at += width) {
      __m256i v = _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(packed + at)));
      v = _mm256_inserti128_si256(v, _mm_loadu_si128(reinterpret_cast<const __m128i*>(packed + at + half)), 1);
      v = _mm256_srlv_epi32(_mm256_shuffle_epi8(v, orders), shifts);
      v = _mm256_add_epi32(_mm256_and_si256(v, masks), bases);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(values + i), v);
    }
  } else {
    for (; n - i >= 8 && at + 7 * width / 8 + 8 <= bytes; i += 8, at += width) {
      for (int j = 0; j < 8; ++j) {
        uint64_t word;
        std::memcpy(&word, packed + at + j * width / 8, 8);
        values[i + j] = base + static_cast<uint32_t>(word >> (j * width % 8) & mask);
      }
    }
  }
  unpack_plain(packed + at, width, base, values + i, n - i);
}
