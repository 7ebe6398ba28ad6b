#include "cache/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace hone::cache {

Result<FolderLock> FolderLock::acquire(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return failure(std::string("cannot lock the folder: ") + std::strerror(errno), folder.string());
  for (;;) {
    if (::flock(descriptor, LOCK_EX) == 0) return FolderLock(descriptor);
    if (errno != EINTR) break;
  }
  ::close(descriptor);
  HONE_TRY(os::FileLock stand_in, os::FileLock::acquire(folder / ".hone.guard"));
  return FolderLock(std::move(stand_in));
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), stand_in_(std::move(other.stand_in_)) {}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace hone::cache
