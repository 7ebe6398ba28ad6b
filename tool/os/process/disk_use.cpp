#include "tool/os/process/disk_use.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "tool/os/files/directory_entry.h"

namespace hone::os {
namespace {

// What an inode and its entry may take: many empty files fill a disk too.
constexpr std::size_t bytes_of_a_name = 16 << 10;
constexpr unsigned deepest = 32;  // folders in folders: whoever goes deeper is after something else than compiling

bool is_dots(const char* name) noexcept {
  return std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0;
}

}  // namespace

DiskUse::DiskUse(const char* folder, ProcessTree& tree) noexcept : folder_(folder), tree_(tree) {
  struct stat status {};
  if (folder != nullptr && ::stat(folder, &status) == 0) device_ = status.st_dev;
}

bool DiskUse::exceeds(std::size_t bytes) noexcept {
  if (folder_ == nullptr) return false;
  limit_ = bytes;
  bytes_ = 0;
  add_folder(::open(folder_, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0);
  if (bytes_ <= limit_) tree_.for_each_descendant([this](pid_t pid) { add_unlinked(pid); });
  return bytes_ > limit_;
}

void DiskUse::add_folder(int folder, unsigned depth) noexcept {
  if (folder < 0) return;
  if (depth > deepest) bytes_ = limit_ + 1;
  for_each_entry(folder, [&](const DirectoryEntry& entry) { add_entry(folder, entry.name, entry.type, depth); });
  ::close(folder);
}

void DiskUse::add_entry(int folder, const char* name, unsigned char type, unsigned depth) noexcept {
  if (is_dots(name) || bytes_ > limit_) return;
  bytes_ += bytes_of_a_name;
  if (type == DT_DIR) {
    return add_folder(::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), depth + 1);
  }
  struct stat status {};
  if (::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
    bytes_ += static_cast<std::size_t>(status.st_blocks) * 512;
  }
}

void DiskUse::add_unlinked(pid_t pid) noexcept {
  char path[32];
  tree_.name_of(pid, "/fd", path);
  const int files = ::openat(tree_.descriptor(), path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (files < 0) return;
  for_each_entry(files, [&](const DirectoryEntry& entry) {
    struct stat status {};
    if (is_dots(entry.name) || ::fstatat(files, entry.name, &status, 0) != 0) return;
    const bool is_ours = S_ISREG(status.st_mode) && status.st_nlink == 0 && status.st_dev == device_;
    if (is_ours) bytes_ += static_cast<std::size_t>(status.st_blocks) * 512;
  });
  ::close(files);
}

}  // namespace hone::os
