#include "synthesis.h"

#include <cmath>
#include <cstddef>

namespace tremor {
namespace {

// From -1 to 1. The standard library's distributions differ from one library to the next.
float noise(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<float>(static_cast<std::int32_t>(state >> 32)) / 2147483648.0f;
}

}  // namespace

Recording known_tremor(double rate, double seconds) {
  std::vector<float> samples(static_cast<std::size_t>(rate * seconds));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double t = static_cast<double>(i) / rate;
    samples[i] = static_cast<float>(std::exp(-1.5 * t) * (std::sin(25 * t) + 0.5 * std::sin(41 * t + 1)));
  }
  return Recording(rate, std::move(samples));
}

Recording ground(double rate, double seconds, const std::vector<double>& places, std::uint64_t seed) {
  std::vector<float> samples(static_cast<std::size_t>(rate * seconds));
  for (float& sample : samples) sample = 0.4f * noise(seed);
  const Recording tremor = known_tremor(rate, 4);
  for (double place : places) {
    const auto begin = static_cast<std::size_t>(place * rate);
    for (std::size_t i = 0; i < tremor.samples().size() && begin + i < samples.size(); ++i)
      samples[begin + i] += tremor.samples()[i];
  }
  return Recording(rate, std::move(samples));
}

}  // namespace tremor
