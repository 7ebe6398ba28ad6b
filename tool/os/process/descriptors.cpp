#include "tool/os/process/descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace hone::os {
namespace {

constexpr unsigned most_tried = 1U << 20;  // one by one, where /proc does not say which there are

void end(int number, bool at_exec) noexcept {
  if (at_exec)
    ::fcntl(number, F_SETFD, FD_CLOEXEC);
  else
    ::close(number);
}

// The number that a name in /proc/self/fd stands for; -1: "." and "..".
int number_of(const char* name) noexcept {
  int number = 0;
  for (; *name != '\0'; ++name) {
    if (*name < '0' || *name > '9') return -1;
    number = 10 * number + (*name - '0');
  }
  return number;
}

// opendir() would allocate memory.
bool end_listed(unsigned first, unsigned last, bool at_exec) noexcept {
  const int folder = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  alignas(dirent64) char entries[2048];
  long size = 0;
  while ((size = ::syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      const int number = number_of(entry->d_name);
      if (number >= 0 && number != folder && static_cast<unsigned>(number) >= first &&
          static_cast<unsigned>(number) <= last)
        end(number, at_exec);
    }
  }
  ::close(folder);
  return size == 0;
}

void end_range(unsigned first, unsigned last, bool at_exec) noexcept {
  if (::syscall(SYS_close_range, first, last, at_exec ? static_cast<unsigned>(CLOSE_RANGE_CLOEXEC) : 0U) == 0) return;
  if (end_listed(first, last, at_exec)) return;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const unsigned most = static_cast<unsigned>(std::min<std::uint64_t>(limit.rlim_cur, most_tried));
  for (unsigned number = first; number <= last && number < most; ++number) end(static_cast<int>(number), at_exec);
}

}  // namespace

void close_descriptors(unsigned first, unsigned last) noexcept {
  end_range(first, last, false);
}

void close_descriptors_at_exec(unsigned first, unsigned last) noexcept {
  end_range(first, last, true);
}

}  // namespace hone::os
