#include "tool/evaluate/device_choice.h"

#include <unistd.h>

#include <fmt/format.h>

namespace hone::evaluate {

DeviceChoice choose_device(const std::vector<std::string>& uuids) {
  constexpr unsigned most_at_once = 64;  // at one device; with more it no longer matters which
  for (unsigned seat = 0; uuids.size() > 1 && seat < most_at_once; ++seat)
    for (std::size_t device = 0; device < uuids.size(); ++device)
      if (auto claim = DeviceLock::try_acquire(fmt::format("{}-seat-{}", uuids[device], seat)); claim.held())
        return {static_cast<int>(device), std::move(claim)};
  return {uuids.empty() ? 0 : static_cast<int>(static_cast<std::size_t>(getpid()) % uuids.size()), {}};
}

}  // namespace hone::evaluate
