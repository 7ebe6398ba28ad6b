// A compile with the locked variants in it: what stands between the build system and the compiler for a source that
// mentions hone.
//
//   command ─ find kernels ─► request keys ─► hone.lock ─► store ─ rewrite ─► shadow unit ─► the real compiler ─►
//   depfile
//
// Whatever goes wrong on the way, the original command is run exactly as it was given and one note says why; in a
// strict build that is an error instead, and nothing is compiled. Deterministic: same command, sources, lock file and
// variants give the same bytes in any folder. Offline, but where a variant that the lock file names is in no store here
// and the user named a shared one. Writes nothing but what the compiler writes, <object>.hone/ while it runs, and what
// came from a shared store into the user's. (Mode `tune` first lets the tuner search for what the lock file does not
// know.) One at a time in a process.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/frontend/parse/clang_options.h"
#include "tool/project/project.h"
#include "tool/shared/shared_store.h"

namespace hone::apply {

struct ApplyRequest {
  std::vector<std::string> command;  // the compiler's, as the build wrote it: ccache and the like in front
  std::filesystem::path settings;    // what hone_target() wrote; empty: none
  std::filesystem::path lock;        // empty: what the settings say, else the nearest hone.lock above the source
  std::string mode;                  // "": what the settings say; off, apply, tune, capture
  bool locked = false;               // strict, whatever the settings say
  std::filesystem::path database;    // a compile_commands.json to note the command in; empty: none
  frontend::Options frontend;
  shared::SharedStore* shared = nullptr;  // asked for variants that the lock file names and no store here has
  // In mode tune: searches for what the lock file does not know. Its second argument is the build folder.
  std::function<Result<void>(const project::ProjectUnit&, const std::filesystem::path&)> tune_first;
};

// The compile's exit code; dies of the compiler's signal where it died of one.
int apply(const ApplyRequest& request);

}  // namespace hone::apply
