#include "tool/lock/other_entries.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/frontend/parse/compiled_with.h"
#include "tool/lock/ledger.h"

namespace hone::lock {

namespace {

// The entry that fits best counts; of several, the one that least has changed of.
void compare(const cache::LockEntry& entry, const KernelSpec& spec, const cache::Store& store, OtherEntries& others) {
  const cache::TargetFit fit = cache::target_fit(entry, {spec.target, others.here});
  const auto blob = entry.key_parts.empty() ? std::nullopt : store.blob(entry.key_parts);
  const auto parts = blob ? cache::read_key_parts(*blob, entry.key) : std::nullopt;
  std::vector<KeyChange> changes = parts ? key_changes(*parts, spec.key_fields) : std::vector<KeyChange>{};
  const bool better = others.changes.empty() || (!changes.empty() && changes.size() < others.changes.size());
  if (fit < others.fit || (fit == others.fit && !better)) return;
  others.fit = fit;
  others.changes = std::move(changes);
}

}  // namespace

OtherEntries other_entries(const cache::LockFile& lock, const KernelSpec& spec, const project::ProjectUnit& unit) {
  OtherEntries others;
  others.here = frontend::compiled_with(unit.command);
  std::set<std::string> elsewhere;
  const cache::Store store = reading_store(unit.settings.lock, [](const std::string&) {});
  for (const cache::LockEntry* entry :
       lock.find_others(spec.name, project::file_in_lock(spec.file, unit.settings.lock), spec.key)) {
    if (entry->compiled_with.empty())
      others.unsaid = true;
    else if (entry->compiled_with == others.here)
      others.stale = true;
    else
      elsewhere.insert(entry->compiled_with);
    compare(*entry, spec, store, others);
  }
  others.elsewhere.assign(elsewhere.begin(), elsewhere.end());
  return others;
}

std::string standing(const OtherEntries& others, const std::string& folder) {
  if (others.stale && !others.changes.empty()) return "is stale: " + in_short(others.changes, folder);
  if (others.stale) return "was tuned for another text, annotation, flags or target";
  if (!others.elsewhere.empty())
    return fmt::format("is tuned for {}, and this is {}", fmt::join(others.elsewhere, " and for "), others.here);
  if (others.unsaid) return "was tuned by an earlier Hone, which did not note for which compiler and options";
  return "is not tuned";
}

}  // namespace hone::lock
