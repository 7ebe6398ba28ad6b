#include "tool/os/sandbox/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "tool/os/sandbox/nvidia.h"

namespace hone::os {
namespace {

// The kernel's interface as of ABI 6, whatever the installed headers know.
struct RulesetAttributes {
  std::uint64_t handled_access_fs = 0;
  std::uint64_t handled_access_net = 0;  // from ABI 4
  std::uint64_t scoped = 0;              // from ABI 6
};
constexpr std::uint64_t refer = 1ULL << 13;      // ABI 2
constexpr std::uint64_t truncate = 1ULL << 14;   // ABI 3
constexpr std::uint64_t ioctl_dev = 1ULL << 15;  // ABI 5
constexpr std::uint64_t first_abi = (1ULL << 13) - 1;
constexpr std::uint64_t bind_and_connect_tcp = 3;
constexpr std::uint64_t abstract_sockets_and_signals = 3;

constexpr std::uint64_t read_rights =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
// The rights to written folders: nothing in them is executed, and no device, socket or fifo is made.
constexpr std::uint64_t write_rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR |
                                       LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                       LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                       LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM | refer | truncate;
// compute-sanitizer hears of its process through a fifo in its folder.
constexpr std::uint64_t tool_rights = LANDLOCK_ACCESS_FS_MAKE_FIFO;
constexpr std::uint64_t rights_of_a_file =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE | truncate | ioctl_dev;

int abi_version() noexcept {
  return static_cast<int>(::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

std::uint64_t handled_rights(int abi) noexcept {
  std::uint64_t rights = first_abi;
  if (abi >= 2) rights |= refer;
  if (abi >= 3) rights |= truncate;
  if (abi >= 5) rights |= ioctl_dev;
  return rights;
}

int add_rule(int ruleset, int opened, std::uint64_t rights) noexcept {
  struct stat status {};
  if (::fstat(opened, &status) != 0) return errno;
  if (!S_ISDIR(status.st_mode)) rights &= rights_of_a_file;
  const landlock_path_beneath_attr rule{rights, opened};
  return ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
}

// Does /proc show no more than this PID namespace? Where a fresh one could not be mounted, the host's stays, and calls
// us by another number. System calls only.
bool is_proc_our_own() noexcept {
  char text[16];
  const ssize_t length = ::readlink("/proc/self", text, sizeof text);
  long number = 0;
  for (ssize_t i = 0; i < length; ++i) number = 10 * number + (text[i] - '0');
  return length > 0 && number == ::getpid();
}

// A path that does not exist needs no permission.
Result<void> allow(int ruleset, const std::string& path, std::uint64_t rights) {
  const Descriptor opened(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!opened) {
    if (errno == ENOENT || errno == ENOTDIR || errno == EACCES) return {};
    return failure(fmt::format("cannot open for the sandbox: {}", std::strerror(errno)), path);
  }
  if (const int error = add_rule(ruleset, opened.get(), rights)) {
    return failure(fmt::format("Landlock takes no rule for it: {}", std::strerror(error)), path);
  }
  return {};
}

}  // namespace

bool landlock_confines_signals() noexcept {
  return abi_version() >= 6;
}

Result<Descriptor> build_ruleset(const SandboxPolicy& policy, const std::string& program) {
  const int abi = abi_version();
  if (abi < 1) return failure("this kernel has no Landlock");
  const std::uint64_t handled = handled_rights(abi);
  RulesetAttributes attributes{handled, abi >= 4 ? bind_and_connect_tcp : 0,
                               abi >= 6 ? abstract_sockets_and_signals : 0};
  const std::size_t size = abi >= 6   ? sizeof attributes
                           : abi >= 4 ? offsetof(RulesetAttributes, scoped)
                                      : offsetof(RulesetAttributes, handled_access_net);
  Descriptor ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
  if (!ruleset) return failure(fmt::format("cannot create a Landlock ruleset: {}", std::strerror(errno)));
  for (const std::string& path : policy.readable) HONE_CHECK(allow(ruleset.get(), path, read_rights & handled));
  const std::uint64_t written = write_rights | (policy.devices && policy.exec ? tool_rights : 0);
  for (const std::string& path : policy.writable) HONE_CHECK(allow(ruleset.get(), path, written & handled));
  if (!program.empty()) HONE_CHECK(allow(ruleset.get(), program, read_rights & handled));
  const std::uint64_t read_write = (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | truncate) & handled;
  HONE_CHECK(allow(ruleset.get(), "/dev/null", read_write));
  HONE_CHECK(allow(ruleset.get(), "/dev/urandom", LANDLOCK_ACCESS_FS_READ_FILE));
  if (policy.devices) {
    for (const std::string& path : nvidia_devices())
      HONE_CHECK(allow(ruleset.get(), path, read_write | (ioctl_dev & handled)));
    for (const std::string& path : nvidia_answers()) HONE_CHECK(allow(ruleset.get(), path, read_rights & handled));
  }
  return made_private(std::move(ruleset));
}

int enter_landlock(int ruleset, bool devices, bool tools) noexcept {
  // AddressSanitizer reads its own maps. This is the child's own folder, so only the child can open it.
  if (const int self = ::open("/proc/self", O_PATH | O_CLOEXEC); self >= 0) {
    (void)add_rule(ruleset, self, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR);
    ::close(self);
  }
  // The driver names its threads there, and gives up where it may not. A tool starts the process that has the driver,
  // whose folder is not there yet.
  const char* const threads = tools && is_proc_our_own() ? "/proc" : "/proc/self/task";
  if (const int tasks = devices ? ::open(threads, O_PATH | O_CLOEXEC) : -1; tasks >= 0) {
    (void)add_rule(ruleset, tasks,
                   LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE |
                       (truncate & handled_rights(abi_version())));
    ::close(tasks);
  }
  for (const char* path : nvidia_questions) {
    if (!devices) break;
    const int opened = ::open(path, O_PATH | O_CLOEXEC);
    if (opened < 0) continue;
    (void)add_rule(ruleset, opened, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR);
    ::close(opened);
  }
  return ::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0 ? 0 : errno;
}

}  // namespace hone::os
