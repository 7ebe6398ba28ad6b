// The wall around generated code: what a child process may touch, and the best way this machine has to enforce it.
//
// A Policy says what is allowed; probe() finds the levels that work here (by trying them in a child, not by
// version numbers); enter() is called in the child between fork and exec. One file beside this one per mechanism
// (identity, namespaces, landlock, seccomp, limits). Nothing here ever weakens the calling process.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tool/base/result.h"

namespace hone::os {

struct SandboxPolicy {
  std::vector<std::string> readable;    // files and folders, recursively; also executable. Missing ones are skipped
  std::vector<std::string> writable;    // folders; handed to the sandbox identity by the caller (see sandbox_identity)
  std::size_t memory_bytes = 0;         // resident, all processes together, watched every 20 ms: for AddressSanitizer,
                                        // whose reserved terabytes no rlimit can tell from used ones; 0: no limit
  std::size_t address_space_bytes = 0;  // 0: no limit (AddressSanitizer needs none)
  std::size_t data_bytes = 0;           // RLIMIT_DATA; 0: none. For sanitized runs instead of address_space
  std::size_t file_bytes = 1u << 30;    // RLIMIT_FSIZE
  std::size_t disk_bytes = 1u << 30;    // all files in the first writable folder and what is unlinked and open there,
                                        // watched every 60 ms; 0: no limit
  unsigned processes = 64;              // in its own PID namespace where there is one
  unsigned cpu_seconds = 60;
  bool devices = false;  // may use NVIDIA's devices: their files, their ioctls, what their driver asks the system
  bool threads = true;   // may create threads
  bool exec = true;      // may exec and fork (compilers must; runners must not)
  bool fixed_addresses = false;  // no random layout, where the system lets us: for ThreadSanitizer, which else wants to
                                 // start itself anew where it finds memory in its shadow's place
};

// Named, strongest first: "full" (identity drop, PID/net/ipc/mount namespaces, Landlock, seccomp, limits),
// "unprivileged" (user namespaces, Landlock, seccomp, limits), "mounts" (namespaces with a file system of their own in
// Landlock's place, seccomp, limits), "landlock" (Landlock, seccomp, limits), "limits".
// A level is named after the strongest set that it has in full; single mechanisms beyond it are used all the same.
struct SandboxLevel {
  std::string name;
  bool identity = false;        // runs as nobody
  bool namespaces = false;      // PID, network, ipc, uts, mount; dies as a whole
  bool user_namespace = false;  // one owns the other namespaces, for want of privilege
  bool mounts = false;          // a file system of its own; taken where Landlock is missing
  bool landlock = false;
  bool seccomp = false;
};

// What any dynamically linked program needs to start and a compiler needs to compile: /usr, /lib*, /bin, the loader's
// cache, /etc/alternatives. The program itself and its own /proc/self need not be named: they are always readable.
std::vector<std::string> system_folders();

// "another user, namespaces, Landlock, seccomp, limits": what a level is made of.
std::string describe(const SandboxLevel& level);

// What keeps a level from being the strongest, one sentence a mechanism, with what it would need.
std::vector<std::string> shortfalls(const SandboxLevel& level);

// The best level of this machine, found once per process. HONE_SANDBOX=require:<level> makes less an Error;
// HONE_SANDBOX=<level> picks a weaker one for tests.
Result<SandboxLevel> probe_sandbox();

// Uid and gid that sandboxed children run as (the caller's own where it is not root): chown what they must write.
struct SandboxIdentity {
  unsigned uid;
  unsigned gid;
};
SandboxIdentity sandbox_identity(const SandboxLevel& level);

}  // namespace hone::os
