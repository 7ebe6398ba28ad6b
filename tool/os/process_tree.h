// The processes below this one, for a supervisor: a copy of a threaded process, so system calls only, no allocation.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace hone::os {

class ProcessTree {
 public:
  // Holds /proc open, as this process sees it. False: no /proc.
  bool open() noexcept;

  // Sends the signal to every descendant found in one look; returns how many there were.
  std::size_t signal_descendants(int signal) noexcept;

  // Bytes in memory of all descendants together.
  std::size_t resident_bytes() noexcept;

  int descriptor() const noexcept { return proc_; }

 private:
  struct Entry {
    pid_t pid;
    pid_t parent;
    std::size_t pages;
    bool descendant;
  };
  std::size_t look() noexcept;  // fills entries_, marks descendants
  bool read_entry(const char* name, Entry& entry) const noexcept;

  static constexpr std::size_t capacity = 8192;
  int proc_ = -1;
  pid_t self_ = 0;  // in /proc's terms, which need not be getpid()'s
  Entry entries_[capacity];
};

}  // namespace hone::os
