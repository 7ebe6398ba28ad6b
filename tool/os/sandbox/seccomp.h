// Mechanism: seccomp. The kernel's attack surface, network and process calls are off.
//
// A policy without exec gets a list of what is allowed (computing, reading, waiting); one with exec, which is a
// compiler's, a list of what is not. What is not on the allowed list answers ENOSYS, so that libraries fall back; the
// forbidden, EPERM.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

#include "tool/base/result.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::os {

using SeccompProgram = std::vector<sock_filter>;

// The first exec happens under the filter already. A policy without exec allows it for this one path string, known by
// its address, which is random, so that the program cannot find it again.
struct ExecAddresses {
  std::uint64_t path = 0;   // of execve
  std::uint64_t empty = 0;  // of execveat with AT_EMPTY_PATH
};

// Runs in the caller. `confined_signals`: something else keeps signals inside. Otherwise none may be sent at all, not
// even to itself: a filter cannot tell one process from another, and abort() ends without.
Result<SeccompProgram> build_filter(const SandboxPolicy& policy, bool confined_signals, const ExecAddresses& exec);

// Runs in the child, last before exec and after no_new_privs; system calls only. 0 or errno.
int enter_seccomp(const SeccompProgram& program) noexcept;

}  // namespace hone::os
