// Mechanism: resource limits. What a hog, a filler or a bomb may take before it is stopped.
#pragma once

#include <cstddef>

#include "tool/os/sandbox/sandbox.h"

namespace hone::os {

struct Limits {
  std::size_t address_space_bytes = 0;
  std::size_t data_bytes = 0;
  std::size_t file_bytes = 0;
  std::size_t processes = 0;  // 0: no limit of its own
  unsigned cpu_seconds = 0;
};

// RLIMIT_NPROC counts all tasks of a user in its user namespace, so what that user runs already comes on top.
Limits plan_limits(const SandboxPolicy& policy, const SandboxLevel& level);

// Should memory run out anyway, the kernel takes this tree first, not the user's work. In the supervisor, while its
// /proc is still its own; the child inherits it.
void volunteer_for_the_oom_killer() noexcept;

// Runs in the child, before exec; system calls only. 0 or errno.
int apply_limits(const Limits& limits) noexcept;

}  // namespace hone::os
