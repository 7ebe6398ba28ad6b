#include "tool/os/files/processor_kind.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sys/utsname.h>

namespace hone::os {
namespace {

// "" where the first processor has no such line.
std::string value_of(const std::string& cpuinfo, std::string_view name) {
  std::istringstream lines(cpuinfo);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(name) || colon == std::string::npos) continue;
    const std::size_t from = line.find_first_not_of(" \t", colon + 1);
    return from == std::string::npos ? "" : line.substr(from);
  }
  return {};
}

// Kernels list them in different orders.
std::string sorted_features(const std::string& flags) {
  std::istringstream words(flags);
  std::vector<std::string> names;
  for (std::string word; words >> word;) names.push_back(word);
  std::ranges::sort(names);
  std::string text;
  for (const std::string& name : names) text += name + ' ';
  return text;
}

// FNV-1a: tells lists apart, and is no secret.
std::uint32_t hash_of(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619u;
  return hash;
}

// The whole file asks each of the machine's processors for its clock, which takes long where there are hundreds.
std::string first_processor() {
  std::string text(16'000, '\0');
  std::ifstream file("/proc/cpuinfo");
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::string machine_name() {
  utsname names{};
  return uname(&names) == 0 ? std::string(names.machine) : "unknown processor";
}

}  // namespace

std::string processor_kind(const std::string& cpuinfo) {
  std::string model = value_of(cpuinfo, "model name"), features = value_of(cpuinfo, "flags");
  if (model.empty()) model = machine_name() + ' ' + value_of(cpuinfo, "CPU part");
  if (features.empty()) features = value_of(cpuinfo, "Features");  // on ARM
  if (features.empty()) features = value_of(cpuinfo, "isa");       // on RISC-V
  return fmt::format("{} (features {:08x})", model, hash_of(sorted_features(features)));
}

std::string processor_kind() {
  static const std::string kind = processor_kind(first_processor());
  return kind;
}

}  // namespace hone::os
