#include "tool/tune/measured_entries.h"

#include <algorithm>

#include "tool/base/cuda_architecture.h"

namespace hone::tune {

bool is_for_several_families(const KernelSpec& spec) {
  return spec.cuda && code_families(spec.target).size() > 1;
}

bool is_for_several_architectures(const KernelSpec& spec) {
  return spec.cuda && code_architectures(spec.target).size() > 1;
}

std::vector<MeasuredEntry> measured_entries(const cache::LockFile& lock, const KernelSpec& spec) {
  std::vector<MeasuredEntry> measured;
  if (!is_for_several_families(spec)) {
    if (const cache::LockEntry* entry = lock.find(spec.key)) measured.push_back({0, entry});
    return measured;
  }
  for (const cache::LockEntry* entry : lock.find_all(spec.key)) {
    const unsigned family = code_family(spec.target, entry->measured_on);
    const bool known = std::ranges::any_of(measured, [&](const MeasuredEntry& one) { return one.family == family; });
    if (family != 0 && !known) measured.push_back({family, entry});
  }
  std::ranges::sort(measured, {}, &MeasuredEntry::family);
  return measured;
}

const cache::LockEntry* entry_for(const cache::LockFile& lock, const KernelSpec& spec, const std::string& device) {
  const unsigned family = device.empty() ? 0 : code_family(spec.target, device);
  for (const MeasuredEntry& one : measured_entries(lock, spec))
    if (family == 0 || one.family == 0 || one.family == family) return one.entry;
  return nullptr;
}

}  // namespace hone::tune
