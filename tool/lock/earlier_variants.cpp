#include "tool/lock/earlier_variants.h"

#include <algorithm>
#include <utility>

#include "cache/bound_source.h"
#include "tool/command/cuda_architecture.h"
#include "tool/frontend/parse/compiled_with.h"
#include "tool/frontend/place/variant_functions.h"
#include "tool/lock/measured_entries.h"

namespace hone::lock {
namespace {

std::optional<std::string> source_of(const cache::LockEntry& entry, const KernelSpec& spec, const cache::Store& store) {
  const auto blob = entry.variant ? store.blob(*entry.variant) : std::nullopt;
  if (!blob) return std::nullopt;
  cache::BoundSource bound = cache::read_bound(*blob);
  if (!bound.key.empty() && bound.key != entry.key) return std::nullopt;
  if (!frontend::defines_kernel(spec, bound.source)) return std::nullopt;
  return std::move(bound.source);
}

std::optional<Record> record_of(const cache::LockEntry& entry, const cache::Store& store) {
  const auto text = store.record(entry.key);
  auto record = text ? parse_record(*text) : Result<Record>(failure("none"));
  if (!record || record->key != entry.key || record->variant != entry.variant) return std::nullopt;
  return std::move(*record);
}

// Of code for several families the device's own counts.
bool is_of_another_family(const cache::LockEntry& entry, const KernelSpec& spec, const std::string& device) {
  if (!is_for_several_families(spec) || device.empty() || entry.measured_on.empty()) return false;
  return code_family(spec.target, entry.measured_on) != code_family(spec.target, device);
}

}  // namespace

std::vector<EarlierVariant> earlier_variants(const cache::LockFile& lock, const KernelSpec& spec,
                                             const project::ProjectUnit& unit, const cache::Store& store,
                                             const std::string& device) {
  const cache::TunedFor here{spec.target, frontend::compiled_with(unit.command)};
  std::vector<EarlierVariant> found;
  for (const cache::LockEntry* entry :
       lock.find_others(spec.name, project::file_in_lock(spec.file, unit.settings.lock), spec.key)) {
    const bool own = entry->build_target.empty() || entry->build_target == unit.settings.target;
    if (!own || !lock.why_not(*entry).empty()) continue;
    auto source = source_of(*entry, spec, store);
    if (!source) continue;
    const cache::TargetFit fit =
        is_of_another_family(*entry, spec, device) ? cache::TargetFit::none : cache::target_fit(*entry, here);
    found.push_back({*entry, fit, std::move(*source), record_of(*entry, store)});
  }
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [](const EarlierVariant& one) { return std::pair(one.fit, one.entry.speedup_low); });
  std::vector<EarlierVariant> each_once;
  for (EarlierVariant& one : found)
    if (std::ranges::none_of(each_once, [&](const EarlierVariant& other) { return other.source == one.source; }))
      each_once.push_back(std::move(one));
  return each_once;
}

}  // namespace hone::lock
