// Mechanism: Landlock. The file system shrinks to what the policy names, TCP and signals to the outside are off.
#pragma once

#include <string>

#include "tool/base/result.h"
#include "tool/os/files/descriptor.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::os {

// True from Landlock's ABI 6 on; before, signals and abstract sockets reach what the identity may reach.
bool landlock_confines_signals() noexcept;

// Runs in the caller, which can open what the sandboxed identity perhaps cannot. `program` is readable too; may be "".
Result<Descriptor> build_ruleset(const SandboxPolicy& policy, const std::string& program);

// Runs in the child, before exec and after no_new_privs; system calls only. 0 or errno. `devices`: what NVIDIA's driver
// reads of /proc may be read; it is asked for here, as the sandbox may have a /proc of its own. `tools`: the process
// may start others that use devices, in a PID namespace of its own.
int enter_landlock(int ruleset, bool devices, bool tools) noexcept;

}  // namespace hone::os
