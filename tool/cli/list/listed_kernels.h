// What the lock file says of each annotated kernel, and what the next compile links for it: for `hone list` and
// `hone lock check`.
#pragma once

#include <filesystem>
#include <map>

#include "cache/lock_file.h"
#include "tool/base/result.h"
#include "tool/cli/list/surroundings.h"
#include "tool/project/kernels.h"
#include "tool/report/json.h"

namespace hone::cli {

// Lock files, each read once.
class LockFiles {
 public:
  const Result<cache::LockFile>& at(const std::filesystem::path& path) {
    const auto known = files_.find(path);
    return known != files_.end() ? known->second : files_.emplace(path, cache::LockFile::read(path)).first->second;
  }

 private:
  std::map<std::filesystem::path, Result<cache::LockFile>> files_;
};

// `explain`: with what went into its key. `trouble`: set where its lock file cannot be read.
report::ListedKernel listed(const project::ProjectKernel& kernel, bool explain, LockFiles& locks,
                            Result<void>& trouble);

// What the kernel's locked variants were measured with that is not what this machine has, in words.
std::vector<std::string> measured_otherwise(const project::ProjectKernel& kernel, const cache::LockFile& lock,
                                            ThisMachine& machine);

}  // namespace hone::cli
