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

  // visit(pid_t) for each descendant found in one look.
  template <class Visit>
  void for_each_descendant(Visit visit) noexcept {
    const std::size_t count = look();
    for (std::size_t i = 0; i < count; ++i) {
      if (entries_[i].descendant) visit(entries_[i].pid);
    }
  }

  // "<pid><rest>", to be opened relative to descriptor(), which is /proc.
  static void name_of(pid_t pid, const char* rest, char (&path)[32]) noexcept;

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

  static constexpr std::size_t capacity = 8192;  // that are looked at; the supervisor allocates nothing
  int proc_ = -1;
  pid_t self_ = 0;  // in /proc's terms, which need not be getpid()'s
  Entry entries_[capacity];
};

}  // namespace hone::os
