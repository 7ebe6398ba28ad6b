// A configured CMake project as the commands see it: its compile commands, and what hone_target() said of each target.
//
// hone_target() writes <build>/hone/<target>.json at generate time:
//   { "target": "app", "lock": "<abs path>/hone.lock", "mode": "apply", "strict": false, "strategy": "auto",
//     "proposer": "builtin", "trials": 45, "budget": "10m", "machine": "AMD EPYC 9V74" }
// A compile command belongs to the target whose `CMakeFiles/<target>.dir/` stands in its output. Without any such file
// (a project that is not CMake's) every command counts, and the lock is the nearest hone.lock above the source, else
// hone.lock in the working directory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/model/defaults.h"

namespace hone::project {

struct TargetSettings {
  std::string target;
  std::filesystem::path lock;
  std::string mode = "apply";  // off, apply, tune, capture
  bool strict = false;
  std::string strategy;  // "": the proposer's default
  std::string proposer = "builtin";
  unsigned trials = default_trials;
  std::string budget;   // "": nobody says
  std::string machine;  // the kinds that it is built for (HONE_MACHINE), with ';' between; "": nobody says
};

Result<TargetSettings> read_settings(const std::filesystem::path& file);

struct ProjectUnit {
  CompileCommand command;
  TargetSettings settings;
  std::filesystem::path build = {};  // of the compile_commands.json that it stands in
};

// The command with the libraries that the build's programs link (linked_libraries.h): for who links its object.
CompileCommand linked(const ProjectUnit& unit);

struct Project {
  std::filesystem::path build;
  std::vector<ProjectUnit> units;  // only those that mention hone, in a header too
};

// All of a build folder's compile commands. Error: no compile_commands.json (what to do is in the advice), or a broken
// one.
Result<std::vector<CompileCommand>> read_commands(const std::filesystem::path& build);

// Error: as of read_commands(), or broken settings.
Result<Project> open_project(const std::filesystem::path& build);

// The nearest hone.lock in the folder or above it; else the working directory's, which need not be there.
std::filesystem::path nearest_lock(std::filesystem::path folder);

// Does its source mention hone, or a header of the project that it includes? A source that is gone is the compiler's to
// complain about.
bool concerns_hone(const CompileCommand& command);

// Error: what would be locked for the unit goes into the working directory, where no build looks for it.
Result<void> check_lock_place(const ProjectUnit& unit);

// How the lock file names a source: relative to its own folder, with '/'.
std::string file_in_lock(const std::string& file, const std::filesystem::path& lock);

}  // namespace hone::project
