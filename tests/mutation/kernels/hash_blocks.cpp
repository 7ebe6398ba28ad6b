// An integer hash of each block of words.
#include <cstdint>

static std::uint32_t rotated(std::uint32_t value, int by) { return (value << by) | (value >> (32 - by)); }

#pragma hone kernel in(words[0 : blocks * size]) out(hashes[0 : blocks]) problem(blocks = 800, size = 16, seed = 42u) \
    problem(blocks = 301, size = 5, seed = 7u)
void hash_blocks(const std::uint32_t* words, std::uint32_t* hashes, int blocks, int size, std::uint32_t seed) {
  for (int b = 0; b < blocks; ++b) {
    std::uint32_t hash = seed;
    for (int i = 0; i < size; ++i) {
      std::uint32_t k = words[b * size + i] * 0xcc9e2d51u;
      k = rotated(k, 15) * 0x1b873593u;
      hash = rotated(hash ^ k, 13) * 5 + 0xe6546b64u;
    }
    hash ^= static_cast<std::uint32_t>(size) * 4;
    hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
    hashes[b] = hash ^ (hash >> 16);
  }
}
