// Files without torn states: what a reader sees is the whole old content or the whole new.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tool/base/result.h"

namespace hone::os {

Result<std::string> read_file(const std::filesystem::path& path);

// Temp file beside `path`, write, fsync, rename, fsync of the folder. Creates parent folders.
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content);

// Appends and fsyncs; for journals. A torn last line is the reader's to drop.
Result<void> append_durably(const std::filesystem::path& path, std::string_view line);

// A folder that is removed with everything in it when the object goes.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create(std::string_view prefix);
  TemporaryFolder(TemporaryFolder&&) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) noexcept;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path);
  std::filesystem::path path_;
};

// Exclusive advisory lock on a file (flock), released when the object goes or the process dies. Blocks.
class FileLock {
 public:
  static Result<FileLock> acquire(const std::filesystem::path& path);
  FileLock(FileLock&&) noexcept;
  FileLock& operator=(FileLock&&) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int descriptor);
  int descriptor_ = -1;
};

}  // namespace hone::os
