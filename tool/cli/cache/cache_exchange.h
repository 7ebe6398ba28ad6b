// `hone cache vendor`, `pull` and `push`: what the lock files of a project name, and where it is.
//
// Nothing else travels: no variant that is not locked, and out of the shared store no record.
#pragma once

#include "tool/cli/command/command.h"

namespace hone::cli {

// Into hone/ beside each lock file, from the user's store; `pulling`: and from the shared store.
int vendor(const ProjectOptions& options, bool pulling);

// The variants and their records, to the shared store.
int push(const ProjectOptions& options);

}  // namespace hone::cli
