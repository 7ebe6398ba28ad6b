// A process that stays: started under the same walls as a ProcessRunner's, but with descriptors of its own and no end
// in sight. The judge keeps its runners in these; PosixProcessRunner is built on it.
//
// Between the caller and the program stands a supervisor: a fork of the caller that only waits. It is the init of the
// program's PID namespace where there is one, else the subreaper of its descendants. When the program ends, when
// kill_tree() is called, when the Child goes, or when the caller dies in any way (kill -9 too), the supervisor takes
// the whole tree with it, daemons included. It watches the death of the caller's *process*, so a Child may outlive the
// thread that spawned it. Every other descriptor of the caller is closed in the child.
//
// spawn() is thread-safe. One Child is used by one thread at a time; kill_tree() alone may be called from any other.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/os/files/descriptor.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::os {

struct InheritedDescriptor {
  int source = -1;  // in the caller; stays open there
  int target = -1;  // number in the child, under first_private_descriptor; 0, 1, 2 are the standard streams
};

struct SpawnOptions {
  std::vector<std::string> arguments;  // program first; found on PATH when it has no slash
  std::string directory;               // "" keeps the caller's
  // Absent: without a sandbox the caller's less its secrets, with one a minimal environment.
  std::optional<std::map<std::string, std::string>> environment;
  std::optional<SandboxPolicy> sandbox;
  std::vector<InheritedDescriptor> descriptors;  // standard streams that are not named here are /dev/null
  int nice = 0;
};

struct ChildExit {
  int code = 0;              // exit status; 128+signal when killed by one
  int signal = 0;            // 9 also when the tree was killed
  bool over_memory = false;  // the supervisor killed it: SandboxPolicy::memory_bytes
  bool over_disk = false;    // it took more than SandboxPolicy::disk_bytes
};

class Child {
 public:
  Child(Child&&) noexcept;
  Child& operator=(Child&&) noexcept;
  ~Child();  // kill_tree() and wait

  // The program's pid, as the caller sees it (for clock_getcpuclockid and the like). Valid until wait() returned an
  // exit.
  pid_t pid() const;

  // Kills the program and everything that descends from it; returns at once, wait() then gives the exit.
  void kill_tree();

  // nullopt: still running after `timeout`. When it returns an exit, nothing of the tree is left. May be called again.
  std::optional<ChildExit> wait(std::chrono::milliseconds timeout);

  // Becomes readable when wait() would not block; for poll().
  int exit_descriptor() const;

 private:
  friend Result<Child> spawn(const SpawnOptions& options);
  struct State;
  explicit Child(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Returns once the program runs. Error: not found, not executable, no sandbox as strong as required.
Result<Child> spawn(const SpawnOptions& options);

}  // namespace hone::os
