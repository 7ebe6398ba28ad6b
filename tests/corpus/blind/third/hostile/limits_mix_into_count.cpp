// kernel: mix_into
// verdict: verify
// standard: c++20
// tries: eight samples at once with saturating adds, and counts as clipped what lies at the end of the range afterwards; wrong where a sum is exactly 32767 or -32768 and nothing was clipped (gain up to 32767)
#include <cstdint>
#include <emmintrin.h>

static void mix_tail(int16_t* bus, const int16_t* voice, int i, int n, int gain) {
  for (; i < n; ++i) {
    const int s = bus[i] + ((voice[i] * gain) >> 15);
    const int c = s > 32767 ? 32767 : s < -32768 ? -32768 : s;
    audio::clipped += c != s;
    bus[i] = static_cast<int16_t>(c);
  }
}

void mix_into(int16_t* bus, const int16_t* voice, int n, int gain) {
  int i = 0;
  const bool apart = voice + n <= bus || bus <= voice;
  if (apart && gain >= 0 && gain <= 65535) {
    // voice * gain >> 15 in 32 bits, from the two halves of the product
    const __m128i low15 = _mm_set1_epi16(static_cast<int16_t>(gain & 32767));
    const __m128i top = _mm_set1_epi16(gain & 32768 ? -1 : 0);
    const __m128i most = _mm_set1_epi16(32767), least = _mm_set1_epi16(-32768);
    long clipped = 0;
    for (; i + 8 <= n; i += 8) {
      const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(voice + i));
      const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bus + i));
      const __m128i lo = _mm_mullo_epi16(v, low15), hi = _mm_mulhi_epi16(v, low15);
      const __m128i extra = _mm_and_si128(v, top);
      const __m128i s0 = _mm_add_epi32(
          _mm_add_epi32(_mm_srai_epi32(_mm_unpacklo_epi16(lo, hi), 15), _mm_srai_epi32(_mm_unpacklo_epi16(extra, extra), 16)),
          _mm_srai_epi32(_mm_unpacklo_epi16(b, b), 16));
      const __m128i s1 = _mm_add_epi32(
          _mm_add_epi32(_mm_srai_epi32(_mm_unpackhi_epi16(lo, hi), 15), _mm_srai_epi32(_mm_unpackhi_epi16(extra, extra), 16)),
          _mm_srai_epi32(_mm_unpackhi_epi16(b, b), 16));
      const __m128i s = _mm_packs_epi32(s0, s1);
      const int at_end = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi16(s, most), _mm_cmpeq_epi16(s, least)));
      if (at_end) clipped += __builtin_popcount(at_end) / 2;
      _mm_storeu_si128(reinterpret_cast<__m128i*>(bus + i), s);
    }
    audio::clipped += clipped;
  }
  mix_tail(bus, voice, i, n, gain);
}
