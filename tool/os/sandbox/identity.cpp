#include "tool/os/sandbox/identity.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace hone::os {
namespace {

// Fails with EINVAL above the kernel's last capability, and with EPERM where there is nothing to drop.
void empty_bounding_set() noexcept {
  for (int capability = 0; capability < 64; ++capability) {
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno == EINVAL) return;
  }
}

}  // namespace

int drop_capabilities() noexcept {
  empty_bounding_set();
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  return ::syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

// The raw calls: glibc's would try to change every thread of the process that this child is a copy of.
int drop_identity(unsigned uid, unsigned gid) noexcept {
  empty_bounding_set();
  if (::syscall(SYS_setgroups, 0, nullptr) != 0) return errno;
  if (::syscall(SYS_setresgid, gid, gid, gid) != 0) return errno;
  if (::syscall(SYS_setresuid, uid, uid, uid) != 0) return errno;
  return drop_capabilities();
}

}  // namespace hone::os
