// Mechanism: Landlock. The file system shrinks to what the policy names, TCP and signals to the outside are off.
#pragma once

#include <string>

#include "tool/base/result.h"
#include "tool/os/files/descriptor.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::os {

// From ABI 6; before, signals and abstract sockets reach what the identity may reach.
bool landlock_confines_signals() noexcept;

// In the caller, which can open what the sandboxed identity perhaps cannot. `program` is readable too; may be "".
Result<Descriptor> build_ruleset(const SandboxPolicy& policy, const std::string& program);

// In the child, before exec and after no_new_privs; system calls only. 0 or errno.
// `devices`: what NVIDIA's driver reads of /proc may be read; it is asked for here, as the sandbox may have a /proc of
// its own. `tools`: the process may start others that use devices, in a PID namespace of its own.
int enter_landlock(int ruleset, bool devices, bool tools) noexcept;

}  // namespace hone::os
