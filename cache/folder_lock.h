// Exclusive advisory lock on a folder itself, so that nothing is left beside the user's files. Blocks; released when
// the object goes or the process dies.
//
// Where the file system cannot lock a folder (NFS wants a file open for writing), a file in it stands in.
#pragma once

#include <filesystem>
#include <optional>

#include "tool/base/result.h"
#include "tool/os/files.h"

namespace hone::cache {

class FolderLock {
 public:
  static Result<FolderLock> acquire(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  explicit FolderLock(os::FileLock stand_in) : stand_in_(std::move(stand_in)) {}
  int descriptor_ = -1;
  std::optional<os::FileLock> stand_in_;
};

}  // namespace hone::cache
