#include "tool/os/sandbox/namespaces.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tool/os/sandbox/identity.h"

namespace hone::os {
namespace {

int write_file(const char* path, const char* text, std::size_t size) noexcept {
  const int opened = ::open(path, O_WRONLY | O_CLOEXEC);
  if (opened < 0) return errno;
  const int error = ::write(opened, text, size) == static_cast<ssize_t>(size) ? 0 : errno;
  ::close(opened);
  return error;
}

// "<value> " into `to`; snprintf may lock and allocate, which a fork of a threaded process must not.
char* put_number(char* to, unsigned value) noexcept {
  char digits[10];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (count > 0) *to++ = digits[--count];
  *to++ = ' ';
  return to;
}

int write_map(const char* path, unsigned outside) noexcept {
  char text[40];
  char* end = put_number(put_number(put_number(text, nobody), outside), 1);
  return write_file(path, text, static_cast<std::size_t>(end - text));
}

int map_identity(unsigned uid, unsigned gid) noexcept {
  if (const int error = write_file("/proc/self/setgroups", "deny", 4)) return error;
  if (const int error = write_map("/proc/self/gid_map", gid)) return error;
  return write_map("/proc/self/uid_map", uid);
}

}  // namespace

int namespace_flags(bool user_namespace) noexcept {
  return CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNS | (user_namespace ? CLONE_NEWUSER : 0);
}

int enter_namespaces(bool user_namespace, unsigned uid, unsigned gid) noexcept {
  if (user_namespace) {
    if (const int error = map_identity(uid, gid)) return error;
  }
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return errno;
  // Containers that mask parts of /proc forbid a fresh one; the old one then stays, behind Landlock.
  ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
  return 0;
}

}  // namespace hone::os
