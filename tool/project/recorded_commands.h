// A compile_commands.json for builds whose tool writes none, such as plain Make's: `hone cc --database FILE` notes each
// command that it is asked to run for an annotated source.
//
// One entry for each object; an entry is replaced where its object is compiled with other words. The file is written
// only where something changed, whole and atomically, under a lock on <file>.lock, so that `make -j` loses nothing. An
// entry of an object that is no longer built stays until the file is removed. Thread-safe.
#pragma once

#include <filesystem>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"

namespace hone::project {

// Error: the file is something else, or cannot be written.
Result<void> record_command(const std::filesystem::path& database, const CompileCommand& command);

}  // namespace hone::project
