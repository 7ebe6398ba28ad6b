// Files without torn states: what a reader sees is the whole old content or the whole new. On local disk and over NFS.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "tool/base/result.h"
#include "tool/os/files/descriptor.h"

namespace hone::os {

// Reads a regular file, at most so large: what a project holds under a name may be a link to a device or a pipe without
// an end. Error: it is something else, larger, or cannot be read.
constexpr std::size_t largest_read = std::size_t{1} << 30;
Result<std::string> read_file(const std::filesystem::path& path, std::size_t most_bytes = largest_read);
// nullopt: there is no such file.
Result<std::optional<std::string>> read_file_if_there(const std::filesystem::path& path,
                                                      std::size_t most_bytes = largest_read);

// Reads whatever the user names: a pipe, a terminal, /dev/stdin.
Result<std::string> read_stream(const std::filesystem::path& path);
// Writes into what is there and no regular file, and does not replace it: a pipe, a terminal, /dev/stdout.
Result<void> write_stream(const std::filesystem::path& path, std::string_view content);

// Temp file beside `path`, write, fsync, rename, fsync of the folder. Creates parent folders, and syncs those that name
// them. A process killed half-way leaves at most a file named ".<name>.<random>.tmp" there. If the temp file or the
// folder is removed meanwhile, it is written again.
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content);

// Appends one line (the newline is added if absent) and fsyncs; for journals. A torn line that a killed writer left is
// closed first, so that it costs only itself; it is the reader's to drop. Creates parent folders.
Result<void> append_durably(const std::filesystem::path& path, std::string_view line);

// A folder under TMPDIR that is removed with everything in it when the object goes. What killed processes left behind
// is removed by the next one that creates a folder with the same prefix: a live owner holds a lock on it.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create(std::string_view prefix);
  TemporaryFolder(TemporaryFolder&&) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) noexcept;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

  // Hands the folder to the identity that a sandboxed child runs as.
  Result<void> give_to(unsigned uid, unsigned gid) const;

 private:
  TemporaryFolder(std::filesystem::path path, Descriptor lock);
  std::filesystem::path path_;
  Descriptor lock_;
};

// Exclusive advisory lock on a file (flock), released when the object goes or the process dies. Blocks.
class FileLock {
 public:
  static Result<FileLock> acquire(const std::filesystem::path& path);
  // Does not block; nullopt: someone else holds it.
  static Result<std::optional<FileLock>> try_acquire(const std::filesystem::path& path);
  FileLock(FileLock&&) noexcept;
  FileLock& operator=(FileLock&&) noexcept;
  ~FileLock();

 private:
  explicit FileLock(Descriptor descriptor);
  Descriptor descriptor_;
};

}  // namespace hone::os
