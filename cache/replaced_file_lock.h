// Exclusive advisory lock on a file whose writers replace it (stage and rename), so that read-change-write loses
// nothing.
//
// The lock is on the file itself, and taken again when it turns out that another writer has put a new file in its
// place: nothing is left beside the user's files, and nobody else's lock on the folder matters. Blocks; released when
// the object goes or the process dies. A missing file is first created, whole, with the content given.
#pragma once

#include <filesystem>
#include <string_view>

#include "tool/base/result.h"

namespace hone::cache {

// The file that `path` leads to, which need not exist yet: a link is written through, not replaced.
Result<std::filesystem::path> followed_links(std::filesystem::path path);

class ReplacedFileLock {
 public:
  static Result<ReplacedFileLock> acquire(const std::filesystem::path& file, std::string_view content_if_missing);
  ReplacedFileLock(ReplacedFileLock&& other) noexcept;
  ReplacedFileLock& operator=(ReplacedFileLock&&) = delete;
  ~ReplacedFileLock();

 private:
  explicit ReplacedFileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace hone::cache
