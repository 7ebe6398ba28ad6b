// The kernel's record of a folder's entry (getdents64), for those who may not allocate.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace hone::os {

struct DirectoryEntry {
  std::uint64_t inode;
  std::int64_t offset;
  unsigned short size;
  unsigned char type;
  char name[1];
};

// visit(const DirectoryEntry&) for each entry from the descriptor's position on. Takes 4 KiB of stack.
template <class Visit>
void for_each_entry(int folder, Visit visit) noexcept {
  alignas(8) char buffer[4096];
  for (long got; (got = ::syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0;) {
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const DirectoryEntry*>(buffer + at);
      at += entry->size;
      visit(*entry);
    }
  }
}

}  // namespace hone::os
