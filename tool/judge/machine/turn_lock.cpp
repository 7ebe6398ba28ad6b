#include "tool/judge/machine/turn_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace hone::judge {
namespace {

// Reading suffices to lock, so that a file made by another user serves. Made without O_CREAT on the first try: in a
// sticky folder the system refuses that flag for files of others.
os::Descriptor open_lock_file(const std::string& path) {
  constexpr int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW;
  os::Descriptor file(open(path.c_str(), flags));
  if (file || errno != ENOENT) return file;
  file = os::Descriptor(open(path.c_str(), flags | O_CREAT | O_EXCL, 0666));
  if (file)
    fchmod(file.get(), 0666);  // whatever the umask
  else
    file = os::Descriptor(open(path.c_str(), flags));  // another was quicker
  return file;
}

bool lock_file(const os::Descriptor& file, int operation) {
  while (flock(file.get(), operation) != 0)
    if (errno != EINTR) return false;
  return true;
}

// The machine's, whatever TMPDIR says: a batch system gives each of its jobs on one machine a TMPDIR of its own.
std::filesystem::path lock_folder() {
  if (access("/tmp", W_OK) == 0) return "/tmp";
  std::error_code error;
  const auto folder = std::filesystem::temp_directory_path(error);
  return error ? "/tmp" : folder;
}

os::Descriptor lock_file_of(const std::string& device) {
  return open_lock_file(lock_folder() / ("hone-timing-" + device + ".lock"));
}

}  // namespace

std::string starts_on(const std::string& device) {
  return device + "-starts";
}

TurnLock TurnLock::try_acquire(const std::string& device) {
  TurnLock lock;
  lock.file_ = lock_file_of(device);
  if (lock.file_ && !lock_file(lock.file_, LOCK_EX | LOCK_NB)) lock.file_.reset();
  return lock;
}

// Not while the old hold lasts: a timing that stands at the entrance would wait for that, and this for it.
void UntimedWork::begin() {
  end();
  lock_ = TurnLock::acquire(device_, TurnLock::Mode::shared);
}

void UntimedWork::let_timings_pass() {
  if (lock_) begin();
}

TurnLock TurnLock::acquire(const std::string& device, Mode mode) {
  TurnLock lock;
  // The way in, which one at a time stands in: flock() alone lets those who share pass those who wait.
  const os::Descriptor entrance = lock_file_of(device + "-entrance");
  if (entrance) lock_file(entrance, LOCK_EX);
  lock.file_ = lock_file_of(device);
  if (lock.file_ && !lock_file(lock.file_, mode == Mode::shared ? LOCK_SH : LOCK_EX)) lock.file_.reset();
  return lock;
}

}  // namespace hone::judge
