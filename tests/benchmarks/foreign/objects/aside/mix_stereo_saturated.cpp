// A voice mixed into a stereo bus in Q14 fixed point with saturation: std::pair frames and structured bindings.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace audio {

using StereoFrame = std::pair<std::int16_t, std::int16_t>;

inline std::int16_t saturate(int value) {
  constexpr int lowest = std::numeric_limits<std::int16_t>::min();
  constexpr int highest = std::numeric_limits<std::int16_t>::max();
  return static_cast<std::int16_t>(std::clamp(value, lowest, highest));
}

inline int scale_q14(std::int16_t sample, std::int16_t gain) {
  return (sample * gain + (1 << 13)) >> 14;
}

}  // namespace audio

#pragma hone kernel inout(bus[0:bus.size()]) problem(bus.size()=8001, voice.size()=8001, gain_left=11200, gain_right=14500)
void mix_stereo_saturated(std::vector<audio::StereoFrame>& bus, std::span<const audio::StereoFrame> voice,
                          std::int16_t gain_left, std::int16_t gain_right) {
  const std::size_t frames = std::min(bus.size(), voice.size());
  for (std::size_t i = 0; i < frames; ++i) {
    auto& [left, right] = bus[i];
    const auto& [voice_left, voice_right] = voice[i];
    left = audio::saturate(left + audio::scale_q14(voice_left, gain_left));
    right = audio::saturate(right + audio::scale_q14(voice_right, gain_right));
  }
}
