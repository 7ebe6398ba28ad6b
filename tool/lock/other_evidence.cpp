#include "tool/lock/other_evidence.h"

#include <string_view>

#include <fmt/format.h>

namespace hone::lock {
namespace {

// "cpu: g++ (Debian 12.2.0-14) 12.2.0, 428 pairs" → the compiler.
std::string compiler_in(const std::string& evidence) {
  const std::size_t colon = evidence.find(": "), comma = evidence.rfind(", ");
  return colon == evidence.npos || comma == evidence.npos || comma < colon + 2
             ? ""
             : evidence.substr(colon + 2, comma - colon - 2);
}

// How many of its processors a container shows says nothing of the processor.
std::string_view without_cores(std::string_view device) {
  return device.ends_with(" cores") ? device.substr(0, device.rfind(", ")) : device;
}

bool differ(std::string_view then, std::string_view now) {
  return !then.empty() && !now.empty() && then != now;
}

}  // namespace

std::vector<std::string> other_evidence(const cache::LockEntry& entry, const std::optional<Record>& record,
                                        const Surroundings& here) {
  std::vector<std::string> found;
  if (const std::string compiler = compiler_in(entry.evidence); differ(compiler, here.compiler))
    found.push_back(fmt::format("with {}, and here is {}", compiler, here.compiler));
  const bool same_measurement = record && record->variant == entry.variant && record->evidence == entry.evidence &&
                                record->executor == "local";  // else nobody knows its device
  if (same_measurement && differ(without_cores(record->device), without_cores(here.device)))
    found.push_back(fmt::format("on {}, and here is {}", record->device, here.device));
  return found;
}

}  // namespace hone::lock
