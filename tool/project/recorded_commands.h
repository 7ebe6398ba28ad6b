// A compile_commands.json for builds whose tool writes none, such as plain Make's: `hone cc --database FILE` notes each
// command that it is asked to run for an annotated source, and beside it what programs link.
//
// One entry for each object; an entry is replaced where its object is compiled with other words. The file is written
// only where something changed, whole and atomically, under a lock on <file>.lock, so that `make -j` loses nothing. An
// entry of an object that is no longer built stays until the file is removed. Thread-safe.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"

namespace hone::project {

// Databases of large projects have tens of MiB.
inline constexpr std::size_t largest_database = 512u << 20;

// Error: the file is something else, or cannot be written.
Result<void> record_command(const std::filesystem::path& database, const CompileCommand& command);

// What a command that runs in `directory` links (tool/command/library_words.h), one entry for each output. Nothing is
// noted of one that links no libraries. Error: as of record_command().
Result<void> record_link(const std::filesystem::path& database, const std::filesystem::path& directory,
                         const std::vector<std::string>& command);

// Where links are noted: "compile_commands.links.json".
std::filesystem::path links_beside(std::filesystem::path database);

}  // namespace hone::project
