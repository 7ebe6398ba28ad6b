// What is slower than the original on a kind of machine that a build is for, the build does not link (decision 55).
//
// Which kinds a build is for, of processors and of devices each by itself, the first that names any:
//   1. HONE_MACHINE: CMake's variable, as hone_target() wrote it down; without hone_target() the environment's;
//   2. the processor of this machine, where the compile is for it alone (-march=native);
//   3. "machines" of the project's hone.json;
//   4. all that the lock file has figures of.
// So a build for a fixed target depends on the commit and on what it is told, and on no machine. A variant that was
// wrong on any kind counts for all. Figures only ever take a variant out. Reads hone.json, and that only where a
// figure speaks against a variant. One thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cache/lock_file.h"
#include "tool/base/result.h"
#include "tool/lock/measured_entries.h"
#include "tool/project/project.h"

namespace hone::lock {

class MachineRule {
 public:
  explicit MachineRule(const project::ProjectUnit& unit);

  // What a sentence about the kernel goes on with: `is 0.80x on "AMD EPYC 9V74" (hone.lock)`; "": nothing speaks
  // against the entry's variant.
  std::string why_not(const cache::LockEntry& entry);

  // Takes out the entries whose variants are not linked. What is said of the last one; "": none was.
  std::string leave_out(std::vector<MeasuredEntry>& measured);

  // Was hone.json asked? Then what is linked depends on it, or on its not being there, which shows in its folder's
  // time.
  bool asked_project() const { return declared_.has_value(); }
  std::filesystem::path prerequisite() const;
  // Why hone.json says nothing, though it is there: all kinds count then. Told once.
  std::optional<Error> take_trouble() { return std::exchange(trouble_, std::nullopt); }

  // What else decides than files: it makes another build of an equal command.
  std::string outside_of_files() const;

 private:
  bool is_for(const std::string& machine);

  std::filesystem::path lock_;
  std::vector<std::string> named_;
  bool native_ = false;
  std::optional<std::vector<std::string>> declared_;
  std::optional<Error> trouble_;
};

// Does some figure speak against the entry's variant?
bool is_disputed(const cache::LockEntry& entry);

}  // namespace hone::lock
