#include "tool/os/sandbox/sandbox.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "tool/os/sandbox/entry.h"
#include "tool/os/sandbox/identity.h"

namespace hone::os {
namespace {

constexpr std::array<std::string_view, 4> names = {"limits", "landlock", "unprivileged", "full"};  // weakest first

std::size_t rank(std::string_view name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::string name_of(const SandboxLevel& level) {
  const bool filtered = level.landlock && level.seccomp;
  if (filtered && level.namespaces && level.identity) return "full";
  if (filtered && level.namespaces) return "unprivileged";
  return filtered ? "landlock" : "limits";
}

// Goes through the doors in a child, and comes back with whether they opened.
bool works(const SandboxLevel& level) {
  SandboxPolicy policy;
  policy.exec = false;
  const auto entry = SandboxEntry::prepare(policy, level, "", {});
  if (!entry) return false;
  const long child = ::syscall(SYS_clone, entry->clone_flags(), nullptr, nullptr, nullptr, nullptr);
  if (child == 0) ::_exit(entry->enter_supervisor() || entry->enter() ? 1 : 0);
  int status = -1;
  while (child > 0 && ::waitpid(static_cast<pid_t>(child), &status, __WALL) < 0 && errno == EINTR) continue;
  return child > 0 && status == 0;
}

SandboxLevel strongest_unprivileged() {
  SandboxLevel level;
  level.landlock = works({.landlock = true});
  level.seccomp = works({.seccomp = true});
  level.namespaces = level.user_namespace = works({.namespaces = true, .user_namespace = true});
  return level;
}

SandboxLevel strongest() {
  SandboxLevel level = strongest_unprivileged();
  if (::geteuid() != 0) return level;
  level.identity = works({.identity = true});
  // Another identity needs no user namespace, and could not get one: only the caller's own may be mapped.
  if (level.identity) {
    level.namespaces = works({.identity = true, .namespaces = true});
    level.user_namespace = false;
  }
  return level;
}

// Each name as far as this machine goes: what each of its mechanisms answered alone.
SandboxLevel level_called(std::string_view name) {
  static const SandboxLevel best = strongest();
  static const SandboxLevel unprivileged = strongest_unprivileged();
  SandboxLevel level;
  if (name == "full") level = best;
  if (name == "unprivileged") level = unprivileged;
  if (name == "landlock") level = {.landlock = best.landlock, .seccomp = best.seccomp};
  level.name = name_of(level);
  return level;
}

SandboxLevel best_level() {
  const SandboxLevel full = level_called("full");
  const SandboxLevel unprivileged = level_called("unprivileged");
  return rank(unprivileged.name) > rank(full.name) ? unprivileged : full;
}

}  // namespace

std::vector<std::string> system_folders() {
  return {"/usr",
          "/bin",
          "/sbin",
          "/lib",
          "/lib32",
          "/lib64",
          "/libx32",
          "/etc/alternatives",
          "/etc/ld.so.cache",
          "/etc/ld.so.conf",
          "/etc/ld.so.conf.d"};
}

Result<SandboxLevel> probe_sandbox() {
  const SandboxLevel best = best_level();
  const char* setting = std::getenv("HONE_SANDBOX");
  if (setting == nullptr || *setting == '\0') return best;
  std::string_view wanted = setting;
  const bool at_least = wanted.starts_with("require:");
  if (at_least) wanted.remove_prefix(std::string_view("require:").size());
  if (rank(wanted) == names.size()) {
    return failure(fmt::format("HONE_SANDBOX names no level: '{}'", setting), {},
                   "say full, unprivileged, landlock or limits, or require: and one of them");
  }
  const SandboxLevel level = at_least ? best : level_called(wanted);
  if (rank(level.name) < rank(wanted)) {
    return failure(
        fmt::format("the sandbox level '{}' does not work on this machine; the best here is '{}'", wanted, best.name),
        {}, "unset HONE_SANDBOX, or allow what is missing: 'hone doctor' says what");
  }
  return level;
}

SandboxIdentity sandbox_identity(const SandboxLevel& level) {
  if (level.identity) return {nobody, nobody};
  return {::geteuid(), ::getegid()};
}

}  // namespace hone::os
