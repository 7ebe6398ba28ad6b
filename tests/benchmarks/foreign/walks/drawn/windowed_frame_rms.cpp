// The RMS of each overlapping windowed frame of a signal, by a frame pointer moved on by a hop, and window and sample pointers side by side.
#include <cmath>

#pragma hone kernel in(signal[0:frames*hop+size], window[0:size]) out(rms[0:frames]) problem(frames=40, size=256, hop=100) tolerance(rtol=1e-4)
void windowed_frame_rms(const float* signal, const float* window, float* rms, int frames, int size, int hop) {
  const float* const window_end = window + size;
  float* const rms_end = rms + frames;
  const float* frame = signal;
  while (rms < rms_end) {
    const float* s = frame;
    float energy = 0.0f;
    for (const float* w = window; w != window_end; ++w) {
      const float v = *s++ * *w;
      energy += v * v;
    }
    *rms++ = size > 0 ? std::sqrt(energy / (float)size) : 0.0f;
    frame += hop;
  }
}
