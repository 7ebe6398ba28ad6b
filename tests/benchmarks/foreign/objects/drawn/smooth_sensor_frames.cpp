// Exponential smoothing of six-channel sensor frames in place: a functor with state per channel, range-for.
#include <array>
#include <cstddef>
#include <vector>

namespace telemetry {

constexpr std::size_t kChannels = 6;

struct Frame {
  std::array<float, kChannels> channel;
};

class LowPass {
 public:
  void reset(float value) { state_ = value; }

  float operator()(float value, float weight) {
    state_ += weight * (value - state_);
    return state_;
  }

 private:
  float state_ = 0.0f;
};

}  // namespace telemetry

#pragma hone kernel inout(frames[0:frames.size()]) problem(frames.size()=2500, weight=0.15) tolerance(rtol=1e-4)
void smooth_sensor_frames(std::vector<telemetry::Frame>& frames, float weight) {
  if (frames.empty()) {
    return;
  }
  std::array<telemetry::LowPass, telemetry::kChannels> filters;
  for (std::size_t c = 0; c < filters.size(); ++c) {
    filters[c].reset(frames.front().channel[c]);
  }
  for (auto& frame : frames) {
    for (std::size_t c = 0; c < filters.size(); ++c) {
      frame.channel[c] = filters[c](frame.channel[c], weight);
    }
  }
}
