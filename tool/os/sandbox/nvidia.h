// What NVIDIA's driver needs of the file system, for a sandbox with Policy::devices.
#pragma once

#include <string>
#include <vector>

namespace hone::os {

// The device files that are there: /dev/nvidia0, /dev/nvidiactl, /dev/nvidia-uvm, …
std::vector<std::string> nvidia_devices();

// What the driver's library reads of /sys about the devices, the processors and the buses.
std::vector<std::string> nvidia_answers();

// What the driver's library reads of /proc.
inline constexpr const char* nvidia_questions[] = {"/proc/driver/nvidia", "/proc/devices",
                                                   "/proc/modules",       "/proc/cpuinfo",
                                                   "/proc/meminfo",       "/proc/sys/vm/mmap_min_addr"};

}  // namespace hone::os
