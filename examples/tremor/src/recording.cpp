#include "recording.h"

#include <cstdint>
#include <fstream>
#include <stdexcept>

namespace tremor {
namespace {

constexpr std::uint32_t kMagic = 0x31434552;  // "REC1"

struct Header {
  std::uint32_t magic;
  std::uint32_t count;
  double rate;
};

}  // namespace

Recording Recording::load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Header header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) || header.magic != kMagic)
    throw std::runtime_error(path + " is no recording");
  std::vector<float> samples(header.count);
  if (!file.read(reinterpret_cast<char*>(samples.data()), static_cast<std::streamsize>(samples.size() * sizeof(float))))
    throw std::runtime_error(path + " ends early");
  return Recording(header.rate, std::move(samples));
}

void Recording::save(const std::string& path) const {
  std::ofstream file(path, std::ios::binary);
  const Header header{kMagic, static_cast<std::uint32_t>(samples_.size()), rate_};
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
  file.write(reinterpret_cast<const char*>(samples_.data()),
             static_cast<std::streamsize>(samples_.size() * sizeof(float)));
  if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace tremor
