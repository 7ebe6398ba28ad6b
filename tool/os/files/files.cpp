#include "tool/os/files/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "tool/os/files/descriptor.h"
#include "tool/os/files/private_file.h"

namespace hone::os {
namespace fs = std::filesystem;
namespace {

std::string advice_for(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
    case EROFS:
      return "check its permissions";
    case ENOSPC:
    case EDQUOT:
      return "free some disk space";
    default:
      return {};
  }
}

tl::unexpected<Error> system_failure(const char* doing, const fs::path& path, int error = errno) {
  return failure(fmt::format("cannot {}: {}", doing, std::strerror(error)), path.string(), advice_for(error));
}

Result<void> write_all(int descriptor, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_failure("write", path);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

Result<void> create_folder_of(const fs::path& path) {
  std::error_code error;
  fs::create_directories(folder_of(path), error);
  if (error) return system_failure("create the folder", folder_of(path), error.value());
  return {};
}

// A rename is durable only when the folder that names the file is on disk. File systems that cannot sync a folder
// (some network ones) say EINVAL: then there is nothing more to do.
Result<void> sync_folder(const fs::path& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) return errno == EACCES ? Result<void>{} : system_failure("open the folder", folder);
  if (::fsync(opened.get()) != 0 && errno != EINVAL && errno != EROFS) return system_failure("sync the folder", folder);
  return {};
}

struct TemporaryFile {
  Descriptor descriptor;
  fs::path path;
};

// Not mkstemp: its 0600 would stay on the final file, where the umask should decide.
Result<TemporaryFile> create_beside(const fs::path& path, mode_t mode = 0666) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::uint64_t suffix = 0;
    if (::getrandom(&suffix, sizeof suffix, 0) != sizeof suffix) return system_failure("draw a random name", path);
    fs::path name = folder_of(path) / fmt::format(".{}.{:016x}.tmp", path.filename().string(), suffix);
    Descriptor opened(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (opened) return TemporaryFile{std::move(opened), std::move(name)};
    if (errno != EEXIST) return system_failure("create a file in its folder", path);
  }
  return failure("cannot find a free temporary name", path.string());
}

Result<void> fill(TemporaryFile& temporary, const fs::path& path, std::string_view content) {
  HONE_CHECK(write_all(temporary.descriptor.get(), content, path));
  if (::fsync(temporary.descriptor.get()) != 0) return system_failure("sync", path);
  temporary.descriptor.reset();
  return {};
}

Result<void> fill_and_rename(TemporaryFile& temporary, const fs::path& path, std::string_view content) {
  HONE_CHECK(fill(temporary, path, content));
  if (::rename(temporary.path.c_str(), path.c_str()) != 0) return system_failure("replace", path);
  return {};
}

// Generated code may have left folders that even their owner cannot list.
void open_up(const fs::path& folder) {
  ::chmod(folder.c_str(), 0700);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory(error) && !entry.is_symlink(error)) open_up(entry.path());
  }
}

}  // namespace

namespace {

// Reads until the end, or until there is more than `most_bytes`: then it returns one byte more than that.
Result<std::string> read_all(const Descriptor& opened, const fs::path& path, std::size_t expected,
                             std::size_t most_bytes) {
  std::string content;
  content.reserve(std::min(expected, most_bytes));
  char chunk[1 << 16];
  while (content.size() <= most_bytes) {
    const ssize_t got = ::read(opened.get(), chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_failure("read", path);
    if (got == 0) break;
    content.append(chunk, std::min(static_cast<std::size_t>(got), most_bytes + 1 - content.size()));
  }
  return content;
}

}  // namespace

Result<std::string> read_file(const fs::path& path, std::size_t most_bytes) {
  // Without O_NONBLOCK the opening of a pipe waits for a writer.
  const Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!opened) return system_failure("read", path);
  struct stat status {};
  if (::fstat(opened.get(), &status) != 0) return system_failure("read", path);
  if (S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return system_failure("read", path);
  }
  if (!S_ISREG(status.st_mode))
    return failure("this is no regular file", path.string(), "put a file there, not a device, pipe or socket");
  HONE_TRY(std::string content, read_all(opened, path, static_cast<std::size_t>(status.st_size), most_bytes));
  if (content.size() > most_bytes)
    return failure(fmt::format("this file is larger than {} bytes", most_bytes), path.string(), "make it smaller");
  return content;
}

Result<std::string> read_stream(const fs::path& path) {
  const Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened) return system_failure("read", path);
  return read_all(opened, path, 0, largest_read);
}

Result<void> write_file_atomically(const fs::path& path, std::string_view content) {
  HONE_CHECK(create_folder_of(path));
  HONE_TRY(TemporaryFile temporary, create_beside(path));
  if (Result<void> done = fill_and_rename(temporary, path, content); !done) {
    ::unlink(temporary.path.c_str());
    return done;
  }
  return sync_folder(folder_of(path));
}

Result<bool> write_private_file(const fs::path& path, std::string_view content, bool replace) {
  HONE_CHECK(create_folder_of(path));
  HONE_TRY(TemporaryFile temporary, create_beside(path, 0600));
  Result<void> done = replace ? fill_and_rename(temporary, path, content) : fill(temporary, path, content);
  // Some file systems have no hard links, others no exclusive rename.
  int error = 0;
  if (done && !replace) {
    error = ::link(temporary.path.c_str(), path.c_str()) == 0 ? 0 : errno;
    if (error != 0 && error != EEXIST)
      error = ::renameat2(AT_FDCWD, temporary.path.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0 ? 0 : errno;
  }
  ::unlink(temporary.path.c_str());
  HONE_CHECK(std::move(done));
  if (error == EEXIST) return false;
  if (error != 0) return system_failure("create", path, error);
  HONE_CHECK(sync_folder(folder_of(path)));
  return true;
}

Result<void> append_durably(const fs::path& path, std::string_view line) {
  HONE_CHECK(create_folder_of(path));
  const Descriptor opened(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (!opened) return system_failure("append", path);
  const off_t size = ::lseek(opened.get(), 0, SEEK_END);
  char last = '\n';
  if (size > 0 && ::pread(opened.get(), &last, 1, size - 1) != 1) return system_failure("read", path);
  std::string text = last == '\n' ? "" : "\n";
  text += line;
  if (text.empty() || text.back() != '\n') text += '\n';
  HONE_CHECK(write_all(opened.get(), text, path));
  if (::fsync(opened.get()) != 0) return system_failure("sync", path);
  return size == 0 ? sync_folder(folder_of(path)) : Result<void>{};
}

namespace {

void remove_folder(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (!error) return;
  open_up(path);
  fs::remove_all(path, error);
}

// Locks a temporary folder. Nothing: a live process has it, or it belongs to another user.
Descriptor lock_folder(const fs::path& path) {
  Descriptor opened(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (opened && ::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) opened.reset();
  return opened;
}

bool is_abandoned_name(const std::string& name, std::string_view prefix) {
  return name.size() == prefix.size() + 7 && name.starts_with(prefix) && name[prefix.size()] == '-';
}

void remove_abandoned(const fs::path& base, std::string_view prefix) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(base, error)) {
    if (!is_abandoned_name(entry.path().filename(), prefix)) continue;
    if (const Descriptor lock = lock_folder(entry.path())) remove_folder(entry.path());
  }
}

void remove_abandoned_once(const fs::path& base, std::string_view prefix) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> done;
  const std::lock_guard lock(mutex);
  if (done.emplace(prefix).second) remove_abandoned(base, prefix);
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::create(std::string_view prefix) {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  if (error) return system_failure("use the temporary folder", base, error.value());
  remove_abandoned_once(base, prefix);
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string name = (base / fmt::format("{}-XXXXXX", prefix)).string();
    if (::mkdtemp(name.data()) == nullptr) return system_failure("create a temporary folder", base);
    // Another process may have taken the new folder for an abandoned one before it was locked.
    Descriptor lock = lock_folder(name);
    if (lock && fs::exists(name, error)) return TemporaryFolder(fs::path(name), std::move(lock));
  }
  return failure("cannot keep a temporary folder", base.string());
}

TemporaryFolder::TemporaryFolder(fs::path path, Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::move(other.lock_)) {
  other.path_.clear();
}
TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  path_.swap(other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}
TemporaryFolder::~TemporaryFolder() {
  if (!path_.empty()) remove_folder(path_);
}

Result<void> TemporaryFolder::give_to(unsigned uid, unsigned gid) const {
  if (::chown(path_.c_str(), uid, gid) != 0) return system_failure("hand over", path_);
  return {};
}

namespace {

Result<Descriptor> open_lock(const fs::path& path) {
  HONE_CHECK(create_folder_of(path));
  Descriptor opened(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!opened && (errno == EACCES || errno == EROFS)) opened = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened) return system_failure("open the lock", path);
  return opened;
}

}  // namespace

Result<FileLock> FileLock::acquire(const fs::path& path) {
  HONE_TRY(Descriptor opened, open_lock(path));
  while (::flock(opened.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return system_failure("lock", path);
  }
  return FileLock(std::move(opened));
}

Result<std::optional<FileLock>> FileLock::try_acquire(const fs::path& path) {
  HONE_TRY(Descriptor opened, open_lock(path));
  while (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::optional<FileLock>{};
    if (errno != EINTR) return system_failure("lock", path);
  }
  return std::optional<FileLock>(FileLock(std::move(opened)));
}

FileLock::FileLock(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}
FileLock::FileLock(FileLock&&) noexcept = default;
FileLock& FileLock::operator=(FileLock&&) noexcept = default;
FileLock::~FileLock() = default;

}  // namespace hone::os
