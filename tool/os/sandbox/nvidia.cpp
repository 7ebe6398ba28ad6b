#include "tool/os/sandbox/nvidia.h"

#include <algorithm>
#include <filesystem>

namespace hone::os {

std::vector<std::string> nvidia_devices() {
  std::vector<std::string> devices;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", error))
    if (entry.path().filename().string().starts_with("nvidia") && entry.is_character_file(error))
      devices.push_back(entry.path().string());
  std::ranges::sort(devices);
  return devices;
}

std::vector<std::string> nvidia_answers() {
  return {"/sys/module/nvidia", "/sys/devices/system", "/sys/devices/pci0000:00", "/sys/bus/pci", "/dev/nvidia-caps"};
}

}  // namespace hone::os
