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
#include "tool/os/files/scratch_file.h"

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

Result<void> sync_file(int descriptor, const fs::path& path) {
  while (::fsync(descriptor) != 0)
    if (errno != EINTR) return system_failure("sync", path);
  return {};
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// A rename is durable only when the folder that names the file is on disk. File systems that cannot sync a folder
// (some network ones) say EINVAL: then there is nothing more to do.
Result<void> sync_folder(const fs::path& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) return errno == EACCES ? Result<void>{} : system_failure("open the folder", folder);
  while (::fsync(opened.get()) != 0) {
    if (errno == EINVAL || errno == EROFS) return {};
    if (errno != EINTR) return system_failure("sync the folder", folder);
  }
  return {};
}

// So is a folder only when the one that names it is.
Result<void> create_folder_of(const fs::path& path) {
  std::error_code error;
  std::vector<fs::path> missing;
  for (fs::path folder = folder_of(path); !error && !fs::exists(folder, error); folder = folder_of(folder)) {
    if (folder == folder_of(folder)) break;
    missing.push_back(folder);
  }
  if (missing.empty() && !error) return {};
  fs::create_directories(folder_of(path), error);
  if (error) return system_failure("create the folder", folder_of(path), error.value());
  for (const fs::path& folder : missing) HONE_CHECK(sync_folder(folder_of(folder)));
  return {};
}

// Another process took the folder or the staged file away meanwhile, as who empties or prunes a store may.
bool was_removed(int error) {
  return error == ENOENT || error == ESTALE;
}

struct TemporaryFile {
  Descriptor descriptor;
  fs::path path;
};

// Not mkstemp: its 0600 would stay on the final file, where the umask should decide. nullopt: the folder is gone.
Result<std::optional<TemporaryFile>> create_beside(const fs::path& path, mode_t mode = 0666) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::uint64_t suffix = 0;
    if (::getrandom(&suffix, sizeof suffix, 0) != sizeof suffix) return system_failure("draw a random name", path);
    fs::path name = folder_of(path) / fmt::format(".{}.{:016x}.tmp", path.filename().string(), suffix);
    const int opened = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (opened >= 0) return TemporaryFile{Descriptor(opened), std::move(name)};
    if (was_removed(errno)) return std::nullopt;
    if (errno != EEXIST) return system_failure("create a file in its folder", path);
  }
  return failure("cannot find a free temporary name", path.string());
}

// Over NFS a rename whose answer was lost is sent again, and then fails though it happened.
bool stands_there(const struct stat& staged, const fs::path& path) {
  struct stat there {};
  return ::stat(path.c_str(), &there) == 0 && there.st_dev == staged.st_dev && there.st_ino == staged.st_ino;
}

enum class Durable { yes, no };

// What was staged, as it lies on the disk.
Result<struct stat> fill(TemporaryFile& temporary, const fs::path& path, std::string_view content,
                         Durable durable = Durable::yes) {
  struct stat staged {};
  HONE_CHECK(write_all(temporary.descriptor.get(), content, path));
  if (durable == Durable::yes) HONE_CHECK(sync_file(temporary.descriptor.get(), path));
  if (::fstat(temporary.descriptor.get(), &staged) != 0) return system_failure("look at", path);
  temporary.descriptor.reset();
  return staged;
}

// false: the staged file is gone.
Result<bool> fill_and_rename(TemporaryFile& temporary, const fs::path& path, std::string_view content,
                             Durable durable = Durable::yes) {
  HONE_TRY(const struct stat staged, fill(temporary, path, content, durable));
  if (::rename(temporary.path.c_str(), path.c_str()) == 0) return true;
  const int error = errno;
  if (stands_there(staged, path)) return true;
  return was_removed(error) ? Result<bool>(false) : system_failure("replace", path, error);
}

// false: the name is taken. Some file systems have no hard links, others no exclusive rename.
Result<bool> fill_and_name(TemporaryFile& temporary, const fs::path& path, std::string_view content) {
  HONE_CHECK(fill(temporary, path, content));
  if (::link(temporary.path.c_str(), path.c_str()) == 0) return true;
  if (errno != EEXIST && ::renameat2(AT_FDCWD, temporary.path.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0)
    return true;
  return errno == EEXIST ? Result<bool>(false) : system_failure("create", path);
}

// false: what it stood on was removed under it.
Result<bool> try_to_write(const fs::path& path, std::string_view content, Durable durable) {
  HONE_CHECK(create_folder_of(path));
  HONE_TRY(std::optional<TemporaryFile> temporary, create_beside(path));
  if (!temporary) return false;
  const Result<bool> done = fill_and_rename(*temporary, path, content, durable);
  if (!done || !*done) ::unlink(temporary->path.c_str());
  return done;
}

Result<void> write_by_rename(const fs::path& path, std::string_view content, Durable durable) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    HONE_TRY(const bool written, try_to_write(path, content, durable));
    if (written) return {};
  }
  return failure("cannot write: what it is written beside is removed again and again", path.string(),
                 "end what empties its folder");
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

// What the system said, beside what is to be said of it; 0: nothing.
struct ReadFault {
  int error = 0;
  Error told;
};
using Read = tl::expected<std::string, ReadFault>;

tl::unexpected<ReadFault> read_fault(const fs::path& path, int error = errno) {
  return tl::unexpected(ReadFault{error, system_failure("read", path, error).value()});
}

tl::unexpected<ReadFault> refused(std::string what, const fs::path& path, std::string advice) {
  return tl::unexpected(ReadFault{0, {std::move(what), path.string(), std::move(advice)}});
}

// Reads until the end, or until there is more than `most_bytes`: then it returns one byte more than that.
Read read_all(const Descriptor& opened, const fs::path& path, std::size_t expected, std::size_t most_bytes) {
  std::string content;
  content.reserve(std::min(expected, most_bytes));
  char chunk[1 << 16];
  while (content.size() <= most_bytes) {
    const ssize_t got = ::read(opened.get(), chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return read_fault(path);
    if (got == 0) break;
    content.append(chunk, std::min(static_cast<std::size_t>(got), most_bytes + 1 - content.size()));
  }
  return content;
}

Read read_once(const fs::path& path, std::size_t most_bytes) {
  // Without O_NONBLOCK the opening of a pipe waits for a writer.
  const Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!opened || ::fstat(opened.get(), &status) != 0) return read_fault(path);
  if (S_ISDIR(status.st_mode)) return read_fault(path, EISDIR);
  if (!S_ISREG(status.st_mode))
    return refused("this is no regular file", path, "put a file there, not a device, pipe or socket");
  Read content = read_all(opened, path, static_cast<std::size_t>(status.st_size), most_bytes);
  if (content && content->size() > most_bytes)
    return refused(fmt::format("this file is larger than {} bytes", most_bytes), path, "make it smaller");
  return content;
}

// Over NFS a file that another machine replaced may be gone between look and open, or under the reader. Its name leads
// to the new one.
Read read_present(const fs::path& path, std::size_t most_bytes) {
  Read content = read_once(path, most_bytes);
  for (int attempt = 0; attempt < 10 && !content && content.error().error == ESTALE; ++attempt)
    content = read_once(path, most_bytes);
  return content;
}

}  // namespace

Result<std::string> read_file(const fs::path& path, std::size_t most_bytes) {
  return read_present(path, most_bytes).map_error([](ReadFault fault) { return std::move(fault.told); });
}

Result<std::optional<std::string>> read_file_if_there(const fs::path& path, std::size_t most_bytes) {
  Read content = read_present(path, most_bytes);
  if (content) return std::move(*content);
  if (content.error().error == ENOENT || content.error().error == ENOTDIR) return std::nullopt;
  return tl::unexpected(std::move(content.error().told));
}

Result<std::string> read_stream(const fs::path& path) {
  const Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened) return system_failure("read", path);
  return read_all(opened, path, 0, largest_read).map_error([](ReadFault fault) { return std::move(fault.told); });
}

Result<void> write_stream(const fs::path& path, std::string_view content) {
  const Descriptor opened(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!opened) return system_failure("write", path);
  return write_all(opened.get(), content, path);
}

Result<void> write_file_atomically(const fs::path& path, std::string_view content) {
  HONE_CHECK(write_by_rename(path, content, Durable::yes));
  return sync_folder(folder_of(path));
}

Result<void> write_scratch_file(const fs::path& path, std::string_view content) {
  return write_by_rename(path, content, Durable::no);
}

Result<bool> write_private_file(const fs::path& path, std::string_view content, bool replace) {
  HONE_CHECK(create_folder_of(path));
  HONE_TRY(std::optional<TemporaryFile> temporary, create_beside(path, 0600));
  if (!temporary) return failure("cannot create it: its folder was removed", path.string());
  const Result<bool> done =
      replace ? fill_and_rename(*temporary, path, content) : fill_and_name(*temporary, path, content);
  ::unlink(temporary->path.c_str());
  HONE_TRY(const bool written, done);
  if (!written && replace) return failure("cannot write it: what was staged beside it was removed", path.string());
  if (written) HONE_CHECK(sync_folder(folder_of(path)));
  return written;
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
  HONE_CHECK(sync_file(opened.get(), path));
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
