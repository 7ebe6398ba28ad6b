// A policy made ready: everything that allocates or may fail with a message is done in the caller, so that the child, a
// copy of a threaded process, makes nothing but system calls on its way in.
#pragma once

#include <string>

#include "tool/base/result.h"
#include "tool/os/files/descriptor.h"
#include "tool/os/sandbox/limits.h"
#include "tool/os/sandbox/mount_wall.h"
#include "tool/os/sandbox/sandbox.h"
#include "tool/os/sandbox/seccomp.h"

namespace hone::os {

enum class Step { namespaces, mounts, descriptors, directory, limits, identity, landlock, seccomp, program };
const char* to_string(Step step);

struct StepError {
  int error = 0;  // errno; 0: none
  Step step = Step::program;
  explicit operator bool() const { return error != 0; }
};

class SandboxEntry {
 public:
  static Result<SandboxEntry> prepare(const SandboxPolicy& policy, const SandboxLevel& level,
                                      const std::string& program, const ExecAddresses& exec);

  int clone_flags() const noexcept;  // for the supervisor
  bool own_pids() const noexcept { return level_.namespaces; }
  StepError enter_supervisor() const noexcept;  // in the supervisor, right after clone
  StepError enter() const noexcept;             // in the child, before exec

 private:
  SandboxLevel level_;
  SandboxIdentity inside_{};   // uid and gid to drop to
  SandboxIdentity outside_{};  // the caller's
  Limits limits_;
  bool fixed_addresses_ = false;
  MountWall wall_;
  Descriptor ruleset_;
  bool devices_ = false;
  bool tools_ = false;
  SeccompProgram filter_;
};

}  // namespace hone::os
