#include "tool/lock/other_entries.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/frontend/parse/compiled_with.h"

namespace hone::lock {

OtherEntries other_entries(const cache::LockFile& lock, const KernelSpec& spec, const project::ProjectUnit& unit) {
  OtherEntries others;
  others.here = frontend::compiled_with(unit.command);
  std::set<std::string> elsewhere;
  for (const cache::LockEntry* entry :
       lock.find_others(spec.name, project::file_in_lock(spec.file, unit.settings.lock), spec.key)) {
    if (entry->compiled_with.empty())
      others.unsaid = true;
    else if (entry->compiled_with == others.here)
      others.stale = true;
    else
      elsewhere.insert(entry->compiled_with);
  }
  others.elsewhere.assign(elsewhere.begin(), elsewhere.end());
  return others;
}

std::string standing(const OtherEntries& others) {
  if (others.stale) return "was tuned for another text, annotation, flags or target";
  if (!others.elsewhere.empty())
    return fmt::format("is tuned for {}, and this is {}", fmt::join(others.elsewhere, " and for "), others.here);
  if (others.unsaid) return "was tuned by an earlier Hone, which did not note for which compiler and options";
  return "is not tuned";
}

}  // namespace hone::lock
