#include "tool/judge/process/process_status.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace hone::judge {
namespace {

std::string path_of(pid_t process) {
  return fmt::format("/proc/{}/status", process);
}

}  // namespace

bool ProcessStatus::is_runnable() const {
  std::ifstream status(path_of(process_));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("State:")) return line.find('R') != std::string::npos;
  return false;
}

unsigned long ProcessStatus::number(std::string_view name) const {
  std::ifstream status(path_of(process_));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return std::strtoul(line.c_str() + name.size(), nullptr, 10);
  return 0;
}

}  // namespace hone::judge
