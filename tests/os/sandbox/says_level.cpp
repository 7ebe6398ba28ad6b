// Says which sandbox level a machine without some system calls would have: their names are the arguments. Exits 1 with
// the error where there is none that HONE_SANDBOX allows. With --folders: which folders any program may read.
#include <seccomp.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tool/os/sandbox/sandbox.h"

int main(int count, char** arguments) {
  if (count == 2 && std::strcmp(arguments[1], "--folders") == 0) {
    for (const std::string& folder : hone::os::system_folders()) std::printf("%s\n", folder.c_str());
    return 0;
  }
  scmp_filter_ctx filter = ::seccomp_init(SCMP_ACT_ALLOW);
  for (int at = 1; at < count; ++at) {
    const int call = ::seccomp_syscall_resolve_name(arguments[at]);
    // 2.5 does not know Landlock's; its number is the same everywhere.
    const int number = call == __NR_SCMP_ERROR ? 444 : call;
    if (::seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), number, 0) != 0) return 2;
  }
  if (::seccomp_load(filter) != 0) return 2;
  const auto level = hone::os::probe_sandbox();
  if (!level) return std::printf("%s\n", level.error().message().c_str()), 1;
  std::printf("%s: %s\n", level->name.c_str(), hone::os::describe(*level).c_str());
  for (const auto& missing : hone::os::shortfalls(*level)) std::printf("%s\n", missing.c_str());
}
