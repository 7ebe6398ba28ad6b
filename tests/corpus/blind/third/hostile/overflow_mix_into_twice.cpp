// kernel: mix_into
// verdict: verify
// standard: c++20
// tries: scales eight samples at once, packs them to 16 bits and adds with saturation; with gain above 32768 and a loud voice the scaled sample is clipped before the bus of the other sign is added (voice 30000, gain 65535, bus -30000)
#include <cstdint>
#include <emmintrin.h>

void mix_into(int16_t* bus, const int16_t* voice, int n, int gain) {
  int i = 0;
  const bool apart = voice + n <= bus || bus <= voice;
  if (apart && gain >= 0 && gain <= 65535) {
    const __m128i g = _mm_set1_epi16(static_cast<int16_t>(gain));
    const __m128i carry = _mm_set1_epi16(gain & 32768 ? -1 : 0);  // gain is unsigned, mulhi is not
    long clipped = 0;
    for (; i + 8 <= n; i += 8) {
      const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(voice + i));
      const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bus + i));
      const __m128i lo = _mm_mullo_epi16(v, g);
      const __m128i hi = _mm_add_epi16(_mm_mulhi_epi16(v, g), _mm_and_si128(v, carry));
      const __m128i scaled = _mm_packs_epi32(_mm_srai_epi32(_mm_unpacklo_epi16(lo, hi), 15),
                                             _mm_srai_epi32(_mm_unpackhi_epi16(lo, hi), 15));
      const __m128i s = _mm_adds_epi16(b, scaled);
      const int kept = _mm_movemask_epi8(_mm_cmpeq_epi16(s, _mm_add_epi16(b, scaled)));
      if (kept != 0xffff) clipped += __builtin_popcount(kept ^ 0xffff) / 2;
      _mm_storeu_si128(reinterpret_cast<__m128i*>(bus + i), s);
    }
    audio::clipped += clipped;
  }
  for (; i < n; ++i) {
    const int s = bus[i] + ((voice[i] * gain) >> 15);
    const int c = s > 32767 ? 32767 : s < -32768 ? -32768 : s;
    audio::clipped += c != s;
    bus[i] = static_cast<int16_t>(c);
  }
}
