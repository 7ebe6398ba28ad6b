#include "tests/cache/faults/system_calls.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace hone::tests {
namespace {

SystemCalls* watching = nullptr;  // by one thread

std::string path_of(int descriptor) {
  char path[4096];
  const ssize_t length = ::readlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), path, sizeof path);
  return {path, length > 0 ? static_cast<std::size_t>(length) : 0};
}

// Makes the call unless a test has it fail; -1 and errno as the system's own.
template <class Make>
long made(const char* name, const std::vector<std::string>& paths, Make make) {
  SystemCalls* calls = watching;
  std::string call = name;
  for (const std::string& path : paths) {
    const std::string seen = calls ? calls->name_of(path) : "";
    if (seen.empty()) return make();
    call += ' ' + seen;
  }
  watching = nullptr;  // what a test does meanwhile is its own
  int error = calls->about_to(call);
  long result = -1;
  if (error == 0) {
    result = make();
    error = result < 0 ? errno : calls->after(call);
  }
  watching = calls;
  errno = error;
  return error == 0 ? result : -1;
}

}  // namespace

SystemCalls::SystemCalls(std::string folder) : folder_(std::move(folder)) {
  watching = this;
}
SystemCalls::~SystemCalls() {
  watching = nullptr;
}

int SystemCalls::about_to(const std::string& call) {
  made.push_back(call);
  return before(call);
}

std::string SystemCalls::name_of(const std::string& path) const {
  if (!path.starts_with(folder_)) return "";
  const std::string name = path.size() > folder_.size() ? path.substr(folder_.size() + 1) : ".";
  return name.ends_with(".tmp") ? "staged" : name;
}

}  // namespace hone::tests

using hone::tests::made;
using hone::tests::path_of;

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return static_cast<int>(made("open", {path}, [&] { return ::syscall(SYS_openat, AT_FDCWD, path, flags, mode); }));
}

ssize_t read(int descriptor, void* to, size_t size) {
  return made("read", {path_of(descriptor)}, [&] { return ::syscall(SYS_read, descriptor, to, size); });
}

int fsync(int descriptor) {
  return static_cast<int>(made("fsync", {path_of(descriptor)}, [&] { return ::syscall(SYS_fsync, descriptor); }));
}

int flock(int descriptor, int what) {
  return static_cast<int>(made("flock", {path_of(descriptor)}, [&] { return ::syscall(SYS_flock, descriptor, what); }));
}

int rename(const char* from, const char* to) noexcept {
  return static_cast<int>(made("rename", {from, to}, [&] { return ::syscall(SYS_rename, from, to); }));
}

int unlink(const char* path) noexcept {
  return static_cast<int>(made("unlink", {path}, [&] { return ::syscall(SYS_unlink, path); }));
}

int remove(const char* path) noexcept {
  return static_cast<int>(made("remove", {path}, [&] {
    const long result = ::syscall(SYS_unlink, path);
    return result < 0 && errno == EISDIR ? ::syscall(SYS_rmdir, path) : result;
  }));
}

int utimensat(int folder, const char* path, const timespec times[2], int flags) noexcept {
  return static_cast<int>(
      made("utimensat", {path}, [&] { return ::syscall(SYS_utimensat, folder, path, times, flags); }));
}
}
