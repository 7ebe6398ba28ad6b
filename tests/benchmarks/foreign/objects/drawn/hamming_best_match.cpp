// Hamming distances of 256-bit descriptors to a query and the index of the nearest: std::popcount and std::ranges.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace features {

struct Descriptor {
  std::array<std::uint64_t, 4> words;

  int distance(const Descriptor& other) const {
    int bits = 0;
    for (std::size_t k = 0; k < words.size(); ++k) {
      bits += std::popcount(words[k] ^ other.words[k]);
    }
    return bits;
  }
};

}  // namespace features

#pragma hone kernel out(distances[0:distances.size()]) problem(train.size()=2001, distances.size()=2001)
int hamming_best_match(std::span<const features::Descriptor> train, const features::Descriptor& query,
                       std::vector<std::uint16_t>& distances) {
  const auto candidates = train.first(std::min(train.size(), distances.size()));
  const auto filled = std::ranges::transform(candidates, distances.begin(), [&query](const features::Descriptor& d) {
    return static_cast<std::uint16_t>(query.distance(d));
  });
  const auto best = std::min_element(distances.begin(), filled.out);
  return static_cast<int>(best - distances.begin());
}
