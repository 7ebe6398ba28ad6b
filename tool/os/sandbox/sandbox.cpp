#include "tool/os/sandbox/sandbox.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string_view>

#include <fmt/format.h>

#include "tool/os/sandbox/identity.h"
#include "tool/os/sandbox/sandbox_entry.h"

namespace hone::os {
namespace {
namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> names = {"limits", "landlock", "mounts", "unprivileged",
                                                   "full"};  // weakest first

std::size_t rank(std::string_view name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::string name_of(const SandboxLevel& level) {
  const bool filtered = level.landlock && level.seccomp;
  if (filtered && level.namespaces && level.identity) return "full";
  if (filtered && level.namespaces) return "unprivileged";
  if (level.mounts && level.seccomp) return "mounts";
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

// Looks for the strongest level that works. Each trial is a process, and a worker starts for every candidate: all
// mechanisms at once first, one by one only where that fails.
SandboxLevel strongest(const SandboxLevel& whole) {
  if (works(whole)) return whole;
  SandboxLevel level;
  level.landlock = whole.landlock && works({.landlock = true});
  level.seccomp = whole.seccomp && works({.seccomp = true});
  level.identity = whole.identity && works({.identity = true});
  const SandboxLevel namespaces{
      .identity = level.identity, .namespaces = whole.namespaces, .user_namespace = whole.user_namespace};
  level.namespaces = whole.namespaces && works(namespaces);
  level.user_namespace = whole.user_namespace && level.namespaces;
  level.mounts =
      level.namespaces && !level.landlock &&
      works({.identity = level.identity, .namespaces = true, .user_namespace = level.user_namespace, .mounts = true});
  return level;
}

// Another identity needs no user namespace, and could not get one: only the caller's own may be mapped.
const SandboxLevel whole_full{.identity = true, .namespaces = true, .landlock = true, .seccomp = true};
const SandboxLevel whole_unprivileged{.namespaces = true, .user_namespace = true, .landlock = true, .seccomp = true};
const SandboxLevel whole_mounts{.identity = true, .namespaces = true, .mounts = true, .seccomp = true};
const SandboxLevel whole_unprivileged_mounts{
    .namespaces = true, .user_namespace = true, .mounts = true, .seccomp = true};
const SandboxLevel whole_landlock{.landlock = true, .seccomp = true};

// As much of a named level as this machine has; the result may be named like a lower one.
SandboxLevel level_called(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string, SandboxLevel, std::less<>> known;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(name); found != known.end()) return found->second;
  SandboxLevel level;
  if (name == "full" && ::geteuid() == 0) level = strongest(whole_full);
  if (name == "unprivileged") level = strongest(whole_unprivileged);
  if (name == "mounts") level = strongest(::geteuid() == 0 ? whole_mounts : whole_unprivileged_mounts);
  if (name == "landlock") level = strongest(whole_landlock);
  level.name = name_of(level);
  return known.emplace(name, level).first->second;
}

SandboxLevel best_level() {
  SandboxLevel full = level_called("full");
  if (full.name == "full") return full;
  SandboxLevel unprivileged = level_called("unprivileged");
  return ::geteuid() != 0 || rank(unprivileged.name) > rank(full.name) ? unprivileged : full;
}

}  // namespace

std::vector<std::string> system_folders() {
  std::vector<std::string> folders = {"/usr",
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
  // An install tree may stand anywhere, and its programs load the libraries that it brings.
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path carried = (program.parent_path() / HONE_CARRIED_LIBRARIES).lexically_normal();
  if (!error && fs::is_directory(carried, error)) folders.push_back(carried.string());
  return folders;
}

std::string describe(const SandboxLevel& level) {
  std::string parts;
  const auto add = [&parts](bool there, const char* part) {
    if (there) parts += fmt::format("{}{}", parts.empty() ? "" : ", ", part);
  };
  add(level.identity, "another user");
  add(level.namespaces, level.user_namespace ? "user namespaces" : "namespaces");
  add(level.mounts, "a file system of its own");
  add(level.landlock, "Landlock");
  add(level.seccomp, "seccomp");
  add(true, "limits");
  return parts;
}

std::vector<std::string> shortfalls(const SandboxLevel& level) {
  std::vector<std::string> missing;
  if (!level.identity) {
    missing.push_back(::geteuid() == 0
                          ? "no other user to run as: needs the capabilities to change user (CAP_SETUID, CAP_SETGID)"
                          : "no other user to run as: only root can change user");
  }
  if (!level.namespaces) {
    missing.push_back(
        "no namespaces: need root with CAP_SYS_ADMIN, or user namespaces (kernel.unprivileged_userns_clone=1, "
        "user.max_user_namespaces>0, kernel.apparmor_restrict_unprivileged_userns=0, a container profile that allows "
        "unshare)");
  }
  if (!level.landlock) {
    missing.push_back(fmt::format("no Landlock: needs Linux 5.13 with 'landlock' in its lsm= list{}",
                                  level.mounts ? "; a file system of its own stands in" : ""));
  }
  if (!level.seccomp) missing.push_back("no seccomp: needs a kernel with CONFIG_SECCOMP_FILTER");
  return missing;
}

Result<SandboxLevel> probe_sandbox() {
  const char* setting = std::getenv("HONE_SANDBOX");
  if (setting == nullptr || *setting == '\0') return best_level();
  std::string_view wanted = setting;
  const bool at_least = wanted.starts_with("require:");
  if (at_least) wanted.remove_prefix(std::string_view("require:").size());
  if (rank(wanted) == names.size()) {
    return failure(fmt::format("HONE_SANDBOX names no level: '{}'", setting), {},
                   "say full, unprivileged, mounts, landlock or limits, or require: and one of them");
  }
  const SandboxLevel level = at_least ? best_level() : level_called(wanted);
  if (rank(level.name) < rank(wanted)) {
    return failure(fmt::format("the sandbox level '{}' does not work on this machine; the best here is '{}'", wanted,
                               best_level().name),
                   {}, "unset HONE_SANDBOX, or allow what is missing: 'hone doctor' says what");
  }
  return level;
}

SandboxIdentity sandbox_identity(const SandboxLevel& level) {
  if (level.identity) return {nobody, nobody};
  return {::geteuid(), ::getegid()};
}

}  // namespace hone::os
