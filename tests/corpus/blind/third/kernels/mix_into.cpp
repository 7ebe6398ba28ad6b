// Adds a voice to the bus of a mixer: 16-bit samples, gain in Q15, saturation that is counted.
#include <cstdint>

namespace audio {
long clipped = 0;  // shown by the level meter, reset by it
}

#pragma hone kernel in(voice[0:n]) inout(bus[0:n], audio::clipped) problem(n=4096) problem(n=441) \
    init(gain: uniform(0, 65535)) alias(bus, voice)
void mix_into(int16_t* bus, const int16_t* voice, int n, int gain) {
  for (int i = 0; i < n; ++i) {
    int s = bus[i] + ((voice[i] * gain) >> 15);
    if (s > 32767) {
      s = 32767;
      ++audio::clipped;
    } else if (s < -32768) {
      s = -32768;
      ++audio::clipped;
    }
    bus[i] = static_cast<int16_t>(s);
  }
}
