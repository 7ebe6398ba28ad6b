// Chance that is the same everywhere: the standard's engine without its distributions, whose results differ by library.
#pragma once

#include <cassert>
#include <cstdint>
#include <random>
#include <span>

namespace hone::search {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }  // [0, 1)

  std::size_t below(std::size_t count) {
    assert(count > 0);
    return static_cast<std::size_t>(unit() * static_cast<double>(count));
  }

  bool chance(double probability) { return unit() < probability; }

  // An index with probability proportional to its weight. At least one weight must be above zero.
  std::size_t weighted(std::span<const double> weights) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    assert(sum > 0);
    double left = unit() * sum;
    std::size_t last = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] <= 0) continue;
      last = i;
      if ((left -= weights[i]) < 0) break;
    }
    return last;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace hone::search
