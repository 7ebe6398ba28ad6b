// Mechanism: another user. What root's child could do to root's files and processes, nobody cannot.
#pragma once

namespace hone::os {

inline constexpr unsigned nobody = 65534;

// Runs in the child, before exec; system calls only. 0 or errno.
int drop_identity(unsigned uid, unsigned gid) noexcept;  // no groups, no capabilities
int drop_capabilities() noexcept;                        // where the identity stays

}  // namespace hone::os
