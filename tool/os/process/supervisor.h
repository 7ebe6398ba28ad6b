// The process between a caller and the program it spawned: starts it, waits, and lets nothing of its tree survive.
//
// supervise() runs in a clone of a threaded process, so it and all below it make system calls only. Everything it needs
// is prepared by the caller in a Launch, of which it has a copy.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "tool/os/process/child.h"
#include "tool/os/process/process_tree.h"
#include "tool/os/sandbox/sandbox_entry.h"

namespace hone::os {

struct Launch {
  const char* path = nullptr;       // of the program
  const char* empty = nullptr;      // "", for execveat
  std::vector<char*> arguments;     // null-terminated
  std::vector<char*> environment;   // null-terminated
  const char* directory = nullptr;  // null: stay
  std::vector<InheritedDescriptor> descriptors;
  std::vector<int> moved;  // scratch, one per descriptor
  int nice = 0;
  const SandboxEntry* sandbox = nullptr;
  std::size_t memory_bytes = 0;
  std::size_t disk_bytes = 0;
  const char* disk = nullptr;  // the folder that disk_bytes is for; null: none
  int program = -1;            // O_PATH: runs it where its folders are closed to the sandbox's identity
  int control = -1;            // SOCK_SEQPACKET to the caller: Reports go out; any message or its end means: kill
  int exec_error = -1;         // pipe: a StepError when the program could not be started, else just its end
  std::unique_ptr<ProcessTree> tree;
};

enum class ReportKind : int { started, ended };
struct Report {
  ReportKind kind = ReportKind::started;
  int status = 0;  // of waitpid
  bool over_memory = false;
  bool over_disk = false;
};

[[noreturn]] void supervise(Launch& launch) noexcept;

}  // namespace hone::os
