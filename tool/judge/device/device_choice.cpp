#include "tool/judge/device/device_choice.h"

#include <unistd.h>

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

namespace hone::judge {

DeviceChoice choose_device(const std::vector<std::string>& uuids) {
  constexpr unsigned most_at_once = 64;  // at one device; with more it no longer matters which
  for (unsigned seat = 0; uuids.size() > 1 && seat < most_at_once; ++seat)
    for (std::size_t device = 0; device < uuids.size(); ++device)
      if (auto claim = TurnLock::try_acquire(fmt::format("{}-seat-{}", uuids[device], seat)); claim.held())
        return {static_cast<int>(device), std::move(claim)};
  return {uuids.empty() ? 0 : static_cast<int>(static_cast<std::size_t>(getpid()) % uuids.size()), {}};
}

// The driver reads the list up to its first entry that names no device: those before it are the devices, in order.
RunnerDevice runner_device(int number, int devices, const std::string& uuid, const char* visible, const char* order) {
  RunnerDevice device{number, "", order ? order : ""};
  std::istringstream entries(visible ? visible : "");
  std::string entry;
  int at = -1;
  while (at < number && std::getline(entries, entry, ',')) ++at;
  if (at == number) {
    constexpr const char* blank = " \t";
    entry.erase(0, std::min(entry.find_first_not_of(blank), entry.size()));
    entry.erase(entry.find_last_not_of(blank) + 1);
    device.visible_as = entry;
  }
  if (device.visible_as.empty() && (visible || devices > 1)) device.visible_as = uuid;
  return device;
}

}  // namespace hone::judge
