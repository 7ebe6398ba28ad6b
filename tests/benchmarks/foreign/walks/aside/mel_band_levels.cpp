// Compressed mel band levels of some frames of a power spectrum, by a nest of three, each level with a pointer of its own.
#include <cmath>

#pragma hone kernel in(power[0:frames*bins], bank[0:bands*bins]) out(level[0:frames*bands]) problem(frames=5, bands=20, bins=129) tolerance(rtol=1e-3)
void mel_band_levels(const float* power, const float* bank, float* level, int frames, int bands, int bins) {
  while (frames-- > 0) {
    const float* weight = bank;
    float* const level_end = level + bands;
    for (; level != level_end; ++level) {
      const float* p = power;
      float energy = 0.0f;
      int b = bins;
      while (b-- > 0) energy += *weight++ * *p++;
      if (energy < 0.0f) energy = 0.0f;
      *level = std::log1p(energy);
    }
    power += bins;
  }
}
