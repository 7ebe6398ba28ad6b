// What became of the entries of a lock file between two states of it: for who reviews a merge request.
//
// Two entries are one kernel's where a new tuning would have put the one into the other's place (LockFile::put): same
// name, file, target, compiler, options and build target. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cache/lock_file.h"

namespace hone::cache {

// measured_again: the same variant under the same key, with other evidence.
enum class LockOutcome { added, replaced, measured_again, dropped };
const char* to_string(LockOutcome outcome);  // "new", "replaced", "measured again", "dropped"

struct LockChange {
  LockOutcome outcome = LockOutcome::added;
  std::optional<LockEntry> before, after;
};

struct LockChanges {
  std::vector<LockChange> changes;  // those that are there now in their order, then the dropped ones
  std::size_t unchanged = 0;
};

LockChanges changes_between(const LockFile& before, const LockFile& after);

}  // namespace hone::cache
