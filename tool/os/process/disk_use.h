// What a process tree holds on disk below one folder, for a supervisor: a copy of a threaded process, so system calls
// only, no allocation.
//
// A limit per file does not stop many files, nor files that were unlinked and are still open. Both count here; a name
// costs something too, so that empty files and folders do not come for nothing.
#pragma once

#include <sys/types.h>

#include <cstddef>

#include "tool/os/process/process_tree.h"

namespace hone::os {

class DiskUse {
 public:
  // `tree`, borrowed: whose open files count. Null folder: nothing is there.
  DiskUse(const char* folder, ProcessTree& tree) noexcept;

  bool exceeds(std::size_t bytes) noexcept;

 private:
  void add_folder(int folder, unsigned depth) noexcept;  // closes it
  void add_entry(int folder, const char* name, unsigned char type, unsigned depth) noexcept;
  void add_unlinked(pid_t pid) noexcept;

  const char* folder_;
  ProcessTree& tree_;
  dev_t device_ = 0;
  std::size_t limit_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace hone::os
