#include "cache/lock_changes.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace hone::cache {
namespace {

bool is_same_source(const LockEntry& a, const LockEntry& b) {
  return std::tie(a.name, a.file, a.target) == std::tie(b.name, b.file, b.target);
}

bool is_same_build(const LockEntry& a, const LockEntry& b) {
  return is_same_source(a, b) && std::tie(a.compiled_with, a.build_target) == std::tie(b.compiled_with, b.build_target);
}

// From the closest to the loosest: an entry takes the place of the one that is most like it.
using Alike = bool (*)(const LockEntry& before, const LockEntry& after);
constexpr std::array<Alike, 4> kAlike{
    [](const LockEntry& before, const LockEntry& after) {
      return is_same_build(before, after) && before.measured_on == after.measured_on && before.key == after.key;
    },
    [](const LockEntry& before, const LockEntry& after) {
      return is_same_build(before, after) && before.measured_on == after.measured_on;
    },
    is_same_build,
    [](const LockEntry& before, const LockEntry& after) {
      return is_same_source(before, after) && before.compiled_with.empty();
    },
};

// What a reader of the file sees: not how it is sealed, and nothing that a later Hone has put there.
LockEntry read_by_people(LockEntry entry) {
  entry.seal.clear();
  entry.key_parts.clear();
  entry.extra.clear();
  return entry;
}

}  // namespace

const char* to_string(LockOutcome outcome) {
  switch (outcome) {
    case LockOutcome::added:
      return "new";
    case LockOutcome::replaced:
      return "replaced";
    case LockOutcome::measured_again:
      return "measured again";
    case LockOutcome::dropped:
      return "dropped";
  }
  return "";
}

LockChanges changes_between(const LockFile& before, const LockFile& after) {
  std::vector<const LockEntry*> earlier(after.entries.size());
  std::vector<bool> taken(before.entries.size());
  for (const Alike alike : kAlike)
    for (std::size_t now = 0; now < after.entries.size(); ++now)
      for (std::size_t then = 0; then < before.entries.size() && !earlier[now]; ++then)
        if (!taken[then] && alike(before.entries[then], after.entries[now])) {
          earlier[now] = &before.entries[then];
          taken[then] = true;
        }
  LockChanges all;
  for (std::size_t now = 0; now < after.entries.size(); ++now) {
    const LockEntry& entry = after.entries[now];
    if (!earlier[now])
      all.changes.push_back({LockOutcome::added, {}, entry});
    else if (earlier[now]->key != entry.key || earlier[now]->variant != entry.variant)
      all.changes.push_back({LockOutcome::replaced, *earlier[now], entry});
    else if (!(read_by_people(*earlier[now]) == read_by_people(entry)))
      all.changes.push_back({LockOutcome::measured_again, *earlier[now], entry});
    else
      ++all.unchanged;
  }
  for (std::size_t then = 0; then < before.entries.size(); ++then)
    if (!taken[then]) all.changes.push_back({LockOutcome::dropped, before.entries[then], {}});
  return all;
}

}  // namespace hone::cache
