#include "tool/os/files/usable_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

namespace hone::os {

std::size_t usable_memory() {
  std::size_t bytes =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 2;
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("MemAvailable:"))
      bytes = std::min<std::size_t>(bytes, std::strtoull(line.c_str() + 13, nullptr, 10) * 1024 / 10 * 9);
  return bytes;
}

}  // namespace hone::os
