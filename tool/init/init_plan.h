// What a CMake project needs before it can be tuned, and does not have: the pass behind `hone init`.
//
//   find_package(Hone REQUIRED)       in the project's CMakeLists.txt
//   hone_target(<target>)             behind the target that compiles the function
//   #pragma hone kernel …             in front of the function, as its text suggests (frontend/infer)
//   hone.lock merge=hone              in .gitattributes, and git's setting that says which program that is
//
// plan_init() reads and writes nothing; carry_out() writes what the plan has. A second run finds nothing left to do.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/os/process/process_runner.h"

namespace hone::init {

struct InitRequest {
  std::filesystem::path build;    // with a compile_commands.json, where functions are named
  std::filesystem::path working;  // the source folder, where the build folder does not say which it is
  std::vector<std::string> functions;
};

struct FileChange {
  std::filesystem::path file;
  std::optional<std::string> before;  // nullopt: it is not there
  std::string after;
};

struct InitPlan {
  std::filesystem::path source;                    // the project's, where hone.lock will be
  std::vector<FileChange> files;                   // each once
  std::vector<std::vector<std::string>> commands;  // to run in `source`
  std::vector<std::string> notes;                  // what is left to the user, a sentence each
  bool annotates_all = true;                       // the functions that were named, or they are annotated already

  bool empty() const { return files.empty() && commands.empty(); }
};

// Error: there is no CMake project, or no such function.
Result<InitPlan> plan_init(const InitRequest& request, os::ProcessRunner& runner);

// Error: a file has changed since, or cannot be written. Files in front of it are written then, and a second run goes
// on.
Result<void> carry_out(const InitPlan& plan, os::ProcessRunner& runner);

}  // namespace hone::init
