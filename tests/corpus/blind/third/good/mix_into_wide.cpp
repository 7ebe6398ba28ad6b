// kernel: mix_into
// verdict: right
// standard: c++20
// tries: eight samples at once with sums in 32 bits, clipped by the pack and counted by comparing the sums; gains outside of 16 bits and arrays that overlap so that bus is read later go the original's way
#include <cstdint>
#include <emmintrin.h>

void mix_into(int16_t* bus, const int16_t* voice, int n, int gain) {
  int i = 0;
  const uintptr_t b0 = reinterpret_cast<uintptr_t>(bus), v0 = reinterpret_cast<uintptr_t>(voice);
  const bool behind = v0 < b0 && b0 - v0 < 16;  // a block would miss what the samples before it wrote
  if (!behind && gain >= 0 && gain <= 65535) {
    const __m128i g = _mm_set1_epi16(static_cast<int16_t>(gain));
    const __m128i carry = _mm_set1_epi16(gain & 32768 ? -1 : 0);
    const __m128i most = _mm_set1_epi32(32767), least = _mm_set1_epi32(-32768);
    __m128i count = _mm_setzero_si128();
    for (; i + 8 <= n; i += 8) {
      const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(voice + i));
      const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bus + i));
      const __m128i lo = _mm_mullo_epi16(v, g);
      const __m128i hi = _mm_add_epi16(_mm_mulhi_epi16(v, g), _mm_and_si128(v, carry));
      const __m128i s0 = _mm_add_epi32(_mm_srai_epi32(_mm_unpacklo_epi16(lo, hi), 15),
                                       _mm_srai_epi32(_mm_unpacklo_epi16(b, b), 16));
      const __m128i s1 = _mm_add_epi32(_mm_srai_epi32(_mm_unpackhi_epi16(lo, hi), 15),
                                       _mm_srai_epi32(_mm_unpackhi_epi16(b, b), 16));
      count = _mm_sub_epi32(count, _mm_or_si128(_mm_cmpgt_epi32(s0, most), _mm_cmplt_epi32(s0, least)));
      count = _mm_sub_epi32(count, _mm_or_si128(_mm_cmpgt_epi32(s1, most), _mm_cmplt_epi32(s1, least)));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(bus + i), _mm_packs_epi32(s0, s1));
    }
    int parts[4];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(parts), count);
    audio::clipped += static_cast<long>(parts[0]) + parts[1] + parts[2] + parts[3];
  }
  long clipped = 0;
  for (; i < n; ++i) {
    const int s = bus[i] + ((voice[i] * gain) >> 15);
    const int c = s > 32767 ? 32767 : s < -32768 ? -32768 : s;
    clipped += c != s;
    bus[i] = static_cast<int16_t>(c);
  }
  audio::clipped += clipped;
}
