// Numbers for drawing data and orders: counter-based, so that any element can be drawn (again) without those before it,
// and so that one seed gives the same data on every machine. Not for secrets: only the seed is one.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace hone {

// SplitMix64's finalizer (Steele, Lea, Flood 2014): a bijection of 64 bits that passes BigCrush on a counter.
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// The key of a stream that is independent of all other (seed, label) pairs.
constexpr std::uint64_t derive(std::uint64_t seed, std::uint64_t label) {
  return mix(mix(seed + 0x9e3779b97f4a7c15u) ^ (label * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du));
}

constexpr std::uint64_t bits_at(std::uint64_t key, std::uint64_t index) {
  return mix(key + (index + 1) * 0x9e3779b97f4a7c15u);
}

// [0, 1) with 53 bits.
constexpr double unit(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

// [0, bound) for bound > 0; the bias is below bound/2^64.
constexpr std::uint64_t below(std::uint64_t bits, std::uint64_t bound) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits) * bound) >> 64);
}

// A sequential view of one stream.
class Random {
 public:
  explicit Random(std::uint64_t key) : key_(key) {}
  std::uint64_t bits() { return bits_at(key_, counter_++); }
  double uniform() { return unit(bits()); }
  std::uint64_t below(std::uint64_t bound) { return hone::below(bits(), bound); }
  double normal() {  // Box and Muller, the cosine half
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace hone
