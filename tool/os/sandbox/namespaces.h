// Mechanism: namespaces. Their own PIDs (so that the tree dies with its init), no network but an unconnected loopback,
// no System V objects, a /proc that shows only themselves.
#pragma once

namespace hone::os {

// Flags for clone(2) of the supervisor, which becomes the init of the new namespaces.
int namespace_flags(bool user_namespace) noexcept;

// Runs in the supervisor, right after clone; system calls only. 0 or errno. `uid` and `gid` are the caller's effective
// ones: the only ones that an unprivileged process may map; inside they are nobody's, so that exec grants no
// capability.
int enter_namespaces(bool user_namespace, unsigned uid, unsigned gid) noexcept;

}  // namespace hone::os
