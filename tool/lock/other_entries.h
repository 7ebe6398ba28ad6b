// What the lock file has of a kernel where none of its entries holds: was the kernel edited, and where,
// or tuned for another build?
//
// A variant is faster for a compiler and its options (frontend/parse/compiled_with.h): a build with others links the
// original, and the entry stays for whom it was measured for.
#pragma once

#include <string>
#include <vector>

#include "cache/lock_file.h"
#include "cache/target_fit.h"
#include "tool/lock/key_changes.h"
#include "tool/model/kernel_spec.h"
#include "tool/project/project.h"

namespace hone::lock {

struct OtherEntries {
  std::vector<std::string> elsewhere;  // what it is tuned for beside this build: "gcc -O3"; sorted, each once
  bool stale = false;                  // an entry of this build, of another text, annotation, flags or target
  bool unsaid = false;                 // an entry that does not say for which compiler
  std::string here;                    // what this build compiles with
  cache::TargetFit fit = cache::TargetFit::none;  // of the entry that fits best
  std::vector<KeyChange> changes;  // since that entry was written; empty: none of them kept what went into its key
};

// Of a kernel of `unit`, whose lock file this is. Reads the stores for what went into earlier keys.
OtherEntries other_entries(const cache::LockFile& lock, const KernelSpec& spec, const project::ProjectUnit& unit);

// What a sentence about the kernel goes on with: "is not tuned", "is tuned for gcc -O3, and this is clang -O3", "is
// stale: `clamp()` changed (src/blur.cpp:12)". Files are named as in a lock file that stands in `folder`.
std::string standing(const OtherEntries& others, const std::string& folder);

}  // namespace hone::lock
