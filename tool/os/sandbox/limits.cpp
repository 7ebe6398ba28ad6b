#include "tool/os/sandbox/limits.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <string>

#include "tool/os/files/files.h"

namespace hone::os {
namespace {

std::size_t number_after(const std::string& text, const char* label) {
  const std::size_t at = text.find(label);
  if (at == std::string::npos) return 0;
  const std::size_t digits = text.find_first_of("0123456789", at);
  std::size_t value = 0;
  if (digits != std::string::npos) std::from_chars(text.data() + digits, text.data() + text.size(), value);
  return value;
}

// The tasks of a user. The owners of the folders in /proc are looked at first: one call each, where reading every
// status would take longer than the child's whole start.
std::size_t tasks_of(unsigned uid) {
  std::size_t tasks = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    if (name.empty() || name[0] < '0' || name[0] > '9') continue;
    struct stat owner {};
    if (::stat(entry.path().c_str(), &owner) != 0 || owner.st_uid != uid) continue;
    if (const auto status = read_file(entry.path() / "status")) tasks += number_after(*status, "\nThreads:");
  }
  return tasks;
}

// A hard limit that is lower already stays.
int lower(int resource, std::size_t value) noexcept {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return errno;
  if (limit.rlim_max > value) limit.rlim_max = value;
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0 ? 0 : errno;
}

}  // namespace

// The kernel counts the tasks of a user, not of a sandbox: what stands already, and what other sandboxes of that user
// start while this one lives, must not make its exec fail (EAGAIN). Where seccomp lets it start nothing, the limit
// would only do harm.
Limits plan_limits(const SandboxPolicy& policy, const SandboxLevel& level) {
  constexpr std::size_t started_meanwhile = 256;  // by other sandboxes of the same user, until this limit is set
  Limits limits{policy.address_space_bytes, policy.data_bytes, policy.file_bytes, policy.processes, policy.cpu_seconds};
  const bool can_start_none = level.seccomp && !policy.exec && !policy.threads;
  if (can_start_none) {
    limits.processes = 0;
  } else if (!level.user_namespace) {
    limits.processes += tasks_of(sandbox_identity(level).uid) + started_meanwhile;
  }
  return limits;
}

void volunteer_for_the_oom_killer() noexcept {
  const int opened = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (opened < 0) return;
  (void)!::write(opened, "1000", 4);
  ::close(opened);
}

int apply_limits(const Limits& limits) noexcept {
  const struct {
    int resource;
    std::size_t value;
    bool set;
  } table[] = {
      {RLIMIT_CORE, 0, true},
      {RLIMIT_AS, limits.address_space_bytes, limits.address_space_bytes != 0},
      {RLIMIT_DATA, limits.data_bytes, limits.data_bytes != 0},
      {RLIMIT_FSIZE, limits.file_bytes, true},
      {RLIMIT_NPROC, limits.processes, limits.processes != 0},
      {RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds != 0},
      {RLIMIT_NOFILE, 1024, true},
      {RLIMIT_MSGQUEUE, 0, true},
      {RLIMIT_NICE, 0, true},  // some systems let users outrank the rest: that would pass for speed
      {RLIMIT_RTPRIO, 0, true},
  };
  for (const auto& row : table) {
    if (!row.set) continue;
    if (const int error = lower(row.resource, row.value)) return error;
  }
  return 0;
}

}  // namespace hone::os
