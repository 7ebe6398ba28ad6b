// Float samples with a gain, clipped, to 16-bit samples, by an index and a pointer together in the loop header.
#include <cstdint>

#pragma hone kernel in(samples[0:n]) out(pcm[0:n]) problem(n=9001, gain=1.5)
void gain_clip_s16(const float* samples, int16_t* pcm, int n, float gain) {
  int i;
  for (i = 0; i < n; ++i, ++samples) {
    float v = *samples * gain;
    if (v > 1.0f)
      v = 1.0f;
    else if (v < -1.0f)
      v = -1.0f;
    pcm[i] = (int16_t)(v * 32767.0f);
  }
}
