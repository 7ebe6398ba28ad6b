// `hone cache vendor`, `pull` and `push`: what the lock files of a project name, and where it is.
//
// Nothing else travels: no variant that is not locked, and out of the shared store no record.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "tool/cli/command/command.h"
#include "tool/shared/shared_store.h"

namespace hone::cli {

// Into hone/ beside each lock file, from the user's store; `pulling`: and from the shared store.
int vendor(const ProjectOptions& options, bool pulling);

// The variants and their records, to the shared store.
int push(const ProjectOptions& options);

// Request keys by the lock file that has them.
using LockedKeys = std::map<std::filesystem::path, std::set<std::string>>;

// The same of those keys alone, for who tuned just now: a store that takes nothing is one line, and no failure.
void push_tuned(const LockedKeys& tuned, shared::SharedStore& store);

}  // namespace hone::cli
