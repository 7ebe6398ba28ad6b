// A file of the project as it was at a revision of its repository: git is asked.
//
// Nothing is checked out, no hook, filter or pager runs, and the repository is only read. Works from any folder, in
// work trees and submodules, and for a file that is a symbolic link (what it points to now is asked for). One thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tool/base/result.h"
#include "tool/os/process/process_runner.h"

namespace hone::project {

struct FileThen {
  std::string path;                 // in its repository, with '/'
  std::optional<std::string> text;  // nullopt: it is not in that revision
};

// Error: no git, no repository, no such revision (in a shallow clone most are not there), or git's own word for it.
Result<FileThen> file_then(os::ProcessRunner& runner, const std::filesystem::path& file, const std::string& revision);

// How its repository names a file; nullopt: it is in none, or git is not here.
std::optional<std::string> path_in_repository(os::ProcessRunner& runner, const std::filesystem::path& file);

}  // namespace hone::project
