#include "tool/lock/measured_entries.h"

#include <algorithm>

#include "tool/command/cuda_architecture.h"

namespace hone::lock {
namespace {

std::vector<const cache::LockEntry*> trusted_entries(const cache::LockFile& lock, const KernelSpec& spec) {
  auto entries = lock.find_all(spec.key);
  std::erase_if(entries, [&](const cache::LockEntry* entry) { return !lock.why_not(*entry).empty(); });
  return entries;
}

}  // namespace

bool is_for_several_families(const KernelSpec& spec) {
  return spec.cuda && code_families(spec.target).size() > 1;
}

bool is_for_several_architectures(const KernelSpec& spec) {
  return spec.cuda && code_architectures(spec.target).size() > 1;
}

std::vector<MeasuredEntry> measured_entries(const cache::LockFile& lock, const KernelSpec& spec) {
  std::vector<MeasuredEntry> measured;
  const std::vector<const cache::LockEntry*> trusted = trusted_entries(lock, spec);
  if (!is_for_several_families(spec)) {
    if (!trusted.empty()) measured.push_back({0, trusted.front()});
    return measured;
  }
  for (const cache::LockEntry* entry : trusted) {
    const unsigned family = code_family(spec.target, entry->measured_on);
    const bool known = std::ranges::any_of(measured, [&](const MeasuredEntry& one) { return one.family == family; });
    if (family != 0 && !known) measured.push_back({family, entry});
  }
  std::ranges::sort(measured, {}, &MeasuredEntry::family);
  return measured;
}

std::string why_distrusted(const cache::LockFile& lock, const KernelSpec& spec) {
  for (const cache::LockEntry* entry : lock.find_all(spec.key))
    if (std::string why = lock.why_not(*entry); !why.empty()) return why;
  return "";
}

const cache::LockEntry* entry_for(const cache::LockFile& lock, const KernelSpec& spec, const std::string& device) {
  const unsigned family = device.empty() ? 0 : code_family(spec.target, device);
  for (const MeasuredEntry& one : measured_entries(lock, spec))
    if (family == 0 || one.family == 0 || one.family == family) return one.entry;
  return nullptr;
}

}  // namespace hone::lock
