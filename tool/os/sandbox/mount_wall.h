// Mechanism: a file system of its own, for kernels without Landlock. The root is an empty memory file system in which
// only what the policy names is mounted: the readable read-only, the writable without execution, no devices but
// /dev/null and /dev/urandom, and a /proc of its own PID namespace. Needs a mount namespace and Linux 5.12.
#pragma once

#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::os {

class MountWall {
 public:
  // Runs in the caller. `program` is readable too; may be "". Links on the way to a path are made again.
  static MountWall plan(const SandboxPolicy& policy, const std::string& program);

  // Runs in the supervisor, once it is in its namespaces; system calls only. 0 or errno.
  int enter() const noexcept;

 private:
  enum class Access { read, write, device };
  struct Bind {
    std::string path, source, target;  // as the host says it; where it is while the walls go up; where it goes
    Access access;
    bool folder;
  };
  struct Link {
    std::string path, content;
  };

  void add(std::string path, Access access);
  void add_parents(const std::string& path);
  bool covers(const std::string& path, Access access) const;
  int build() const noexcept;

  std::vector<std::string> folders_;  // parents first
  std::vector<Link> links_;
  std::vector<Bind> binds_;  // parents first
};

}  // namespace hone::os
