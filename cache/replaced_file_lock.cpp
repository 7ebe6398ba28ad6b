#include "cache/replaced_file_lock.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <string>
#include <system_error>
#include <utility>

#include "tool/os/files/descriptor.h"
#include "tool/os/files/files.h"

namespace hone::cache {
namespace fs = std::filesystem;
namespace {

tl::unexpected<Error> cannot_lock(const fs::path& file, int error) {
  return failure(std::string("cannot lock: ") + std::strerror(error), file.string());
}

// Puts a whole file there unless somebody else is faster. Some file systems have no hard links, others no exclusive
// rename.
Result<void> create(const fs::path& file, std::string_view content) {
  const std::string name = "." + file.filename().string() + "." + std::to_string(std::random_device{}()) + ".tmp";
  const fs::path staged = file.parent_path() / name;
  HONE_CHECK(os::write_file_atomically(staged, content));
  int error = ::link(staged.c_str(), file.c_str()) == 0 ? 0 : errno;
  if (error != 0 && error != EEXIST)
    error = ::renameat2(AT_FDCWD, staged.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) == 0 ? 0 : errno;
  ::unlink(staged.c_str());
  if (error != 0 && error != EEXIST)
    return failure(std::string("cannot create: ") + std::strerror(error), file.string());
  return {};
}

// For writing where that is allowed: NFS locks no other.
int open_existing(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor >= 0 || (errno != EACCES && errno != EPERM && errno != EROFS)) return descriptor;
  return ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
}

// Opened anew, since NFS answers stat() from what it remembers. Closing one of two descriptors keeps flock's lock.
bool still_in_place(int descriptor, const fs::path& file) {
  struct stat locked {
  }, named{};
  const os::Descriptor now(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  return now && ::fstat(descriptor, &locked) == 0 && ::fstat(now.get(), &named) == 0 && locked.st_ino == named.st_ino &&
         locked.st_dev == named.st_dev;
}

// ESTALE: another machine has replaced the file, and its name leads to the new one.
int lock_alone(int descriptor) {
  while (::flock(descriptor, LOCK_EX) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

}  // namespace

Result<fs::path> followed_links(fs::path path) {
  std::error_code error;
  for (int hops = 0; fs::is_symlink(fs::symlink_status(path, error)); ++hops) {
    const fs::path target = fs::read_symlink(path, error);
    if (error || hops == 40) return failure("cannot follow this link", path.string());
    path = path.parent_path() / target;
  }
  return path;
}

Result<ReplacedFileLock> ReplacedFileLock::acquire(const fs::path& file, std::string_view content_if_missing) {
  for (;;) {
    const int descriptor = open_existing(file);
    if (descriptor < 0 && errno == ENOENT) {
      HONE_CHECK(create(file, content_if_missing));
      continue;
    }
    if (descriptor < 0 && errno == ESTALE) continue;
    if (descriptor < 0) return cannot_lock(file, errno);
    ReplacedFileLock lock(descriptor);
    const int error = lock_alone(descriptor);
    if (error != 0 && error != ESTALE) return cannot_lock(file, error);
    if (error == 0 && still_in_place(descriptor, file)) return lock;
  }
}

ReplacedFileLock::ReplacedFileLock(ReplacedFileLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

ReplacedFileLock::~ReplacedFileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace hone::cache
