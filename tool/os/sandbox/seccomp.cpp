#include "tool/os/sandbox/seccomp.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "tool/os/files/descriptor.h"

namespace hone::os {
namespace {

// System calls go by name: libseccomp knows the numbers of each architecture, and says so when one has no such call.
constexpr const char* forbidden_to_compilers[] = {
    // network, and other ways to another process: what it holds, how it is scheduled, what becomes of it
    "kill", "tkill", "process_mrelease", "setpriority", "sched_setscheduler", "sched_setparam", "sched_setattr",
    "sched_setaffinity", "ioprio_set", "migrate_pages", "move_pages", "socket", "socketpair", "connect", "bind",
    "listen", "accept", "accept4", "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_open",
    "pidfd_getfd", "pidfd_send_signal", "kcmp", "shmget", "shmat", "semget", "msgget", "mq_open", "memfd_create",
    "memfd_secret",
    // the file system's shape
    "mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen", "fsmount", "fsconfig", "fspick",
    "mount_setattr", "name_to_handle_at", "open_by_handle_at", "fanotify_init", "quotactl", "quotactl_fd", "swapon",
    "swapoff", "mknod", "mknodat",
    // namespaces, keys, and the kernel's deep ends
    "unshare", "setns", "keyctl", "add_key", "request_key", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup",
    "io_uring_enter", "io_uring_register", "kexec_load", "kexec_file_load", "init_module", "finit_module",
    "delete_module", "reboot", "settimeofday", "clock_settime", "adjtimex", "clock_adjtime", "acct", "syslog",
    "vhangup", "personality", "ioperm", "iopl", "modify_ldt", "lookup_dcookie", "nfsservctl", "sethostname",
    "setdomainname"};

constexpr const char* allowed_to_runners[] = {
    // files that Landlock and inherited descriptors allow
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "open", "openat", "close",
    "close_range", "lseek", "stat", "fstat", "lstat", "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat",
    "faccessat2", "readlink", "readlinkat", "getdents64", "getcwd", "dup", "dup2", "dup3", "pipe", "pipe2", "eventfd",
    "eventfd2", "poll", "ppoll", "select", "pselect6", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait",
    "sendto", "recvfrom", "sendmsg", "recvmsg", "shutdown",
    // memory
    "munmap", "mprotect", "mremap", "madvise", "mincore", "msync", "brk", "membarrier", "pkey_alloc", "pkey_free",
    "pkey_mprotect", "set_mempolicy", "get_mempolicy", "mbind",
    // time, threads, signals to itself; no timers, which would let it work beside the calls that are timed
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times", "futex",
    "futex_waitv", "set_robust_list", "get_robust_list", "rseq", "set_tid_address", "sched_yield", "sched_getaffinity",
    "sched_getparam", "sched_getscheduler", "getpriority", "getcpu", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
    "rt_sigsuspend", "rt_sigtimedwait", "rt_sigpending", "sigaltstack", "pause", "restart_syscall", "exit",
    "exit_group",
    // questions about itself and the machine
    "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "getresuid", "getresgid", "getgroups",
    "getpgrp", "getpgid", "getsid", "getrlimit", "setrlimit", "getrusage", "sysinfo", "uname", "arch_prctl",
    "getrandom"};

// The calls that change nothing for anyone else.
constexpr std::uint64_t allowed_prctl[] = {PR_SET_NAME,       PR_GET_NAME,       PR_GET_DUMPABLE,
                                           PR_SET_DUMPABLE,   PR_CAPBSET_READ,   PR_SET_NO_NEW_PRIVS,
                                           PR_GET_TIMERSLACK, PR_SET_TIMERSLACK, 0x53564d41 /* PR_SET_VMA */};

// Allowed fcntl() commands: not those that make the kernel send signals to others (F_SETOWN, F_SETSIG, leases,
// F_NOTIFY), nor locks on what the judge holds.
constexpr std::uint64_t allowed_fcntl[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL};
constexpr std::uint64_t allowed_ioctl[] = {TCGETS, TIOCGWINSZ, FIONREAD, FIOCLEX, FIONCLEX};
// Forbidden ioctl() requests: they put words into a terminal's mouth.
constexpr std::uint64_t forbidden_ioctl[] = {TIOCSTI, TIOCLINUX, TIOCCONS, TIOCSETD, TIOCSCTTY};
// The kernel looks at the lower half of such an argument only; so must the filter.
constexpr std::uint64_t lower_half = 0xffffffff;

constexpr std::uint64_t namespace_bits =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr std::uint64_t anonymous_and_shared = MAP_ANONYMOUS | MAP_SHARED;

class Filter {
 public:
  explicit Filter(std::uint32_t otherwise) : context_(::seccomp_init(otherwise), &::seccomp_release) {}

  // `conditions` must all hold. A call that this architecture lacks needs no rule.
  void add(std::uint32_t action, const char* call, std::vector<scmp_arg_cmp> conditions = {}) {
    const int number = ::seccomp_syscall_resolve_name(call);
    if (number == __NR_SCMP_ERROR || number < 0 || context_ == nullptr) return;
    const int status = ::seccomp_rule_add_array(context_.get(), action, number,
                                                static_cast<unsigned>(conditions.size()), conditions.data());
    if (status != 0 && status != -EACCES) error_ = -status;  // -EACCES: what happens without the rule
  }

  // libseccomp 2.5 exports only to a descriptor.
  Result<SeccompProgram> program() {
    if (context_ == nullptr || error_ != 0) {
      return failure(fmt::format("cannot build the seccomp filter: {}", std::strerror(error_ ? error_ : ENOMEM)));
    }
    const Descriptor file(::memfd_create("seccomp", MFD_CLOEXEC));
    if (!file || ::seccomp_export_bpf(context_.get(), file.get()) != 0)
      return failure("cannot export the seccomp filter");
    const off_t size = ::lseek(file.get(), 0, SEEK_END);
    SeccompProgram program(static_cast<std::size_t>(size) / sizeof(sock_filter));
    if (::pread(file.get(), program.data(), static_cast<std::size_t>(size), 0) != size) {
      return failure("cannot read the seccomp filter back");
    }
    return program;
  }

 private:
  std::unique_ptr<void, decltype(&::seccomp_release)> context_;
  int error_ = 0;
};

constexpr scmp_arg_cmp argument(unsigned index, scmp_compare compare, std::uint64_t a, std::uint64_t b = 0) {
  return {index, compare, a, b};
}

// What compute-sanitizer needs beyond a compiler: it speaks with the process that it watches over a fifo and local
// sockets, of which none leads out of the network namespace.
constexpr std::string_view allowed_to_device_tools[] = {
    "socket",  "socketpair",   "connect",           "bind",   "listen", "accept",
    "accept4", "memfd_create", "sched_setaffinity", "mknodat"};

Result<SeccompProgram> compiler_filter(bool confined_signals, bool devices) {
  Filter filter(SCMP_ACT_ALLOW);
  for (const char* call : forbidden_to_compilers)
    if (!devices || std::ranges::find(allowed_to_device_tools, call) == std::end(allowed_to_device_tools))
      filter.add(SCMP_ACT_ERRNO(EPERM), call);
  // A fifo is all that compute-sanitizer makes; what else there is to make needs a privilege that nobody has.
  if (devices)
    for (const std::uint64_t kind : {S_IFCHR, S_IFBLK, S_IFSOCK})
      filter.add(SCMP_ACT_ERRNO(EPERM), "mknodat", {argument(2, SCMP_CMP_MASKED_EQ, S_IFMT, kind)});
  if (!confined_signals) filter.add(SCMP_ACT_ERRNO(EPERM), "tgkill");
  filter.add(SCMP_ACT_ERRNO(EPERM), "prlimit64", {argument(0, SCMP_CMP_NE, 0)});
  for (const std::uint64_t request : forbidden_ioctl) {
    filter.add(SCMP_ACT_ERRNO(EPERM), "ioctl", {argument(1, SCMP_CMP_MASKED_EQ, lower_half, request)});
  }
  for (unsigned bit = 0; bit < 32; ++bit) {
    const std::uint64_t flag = 1ULL << bit;
    if (namespace_bits & flag) {
      filter.add(SCMP_ACT_ERRNO(EPERM), "clone", {argument(0, SCMP_CMP_MASKED_EQ, flag, flag)});
    }
  }
  // The flags of clone3 lie in memory, where no filter sees them; glibc goes back to clone.
  filter.add(SCMP_ACT_ERRNO(ENOSYS), "clone3");
  // Shared anonymous memory counts against no limit but the address space's.
  if (!devices)
    filter.add(SCMP_ACT_ERRNO(EPERM), "mmap",
               {argument(3, SCMP_CMP_MASKED_EQ, anonymous_and_shared, anonymous_and_shared)});
  return filter.program();
}

// The CUDA driver speaks with its devices in ioctls of its own, shares memory with them, and locks it.
constexpr const char* allowed_for_devices[] = {"ioctl",
                                               "mmap",
                                               "mlock",
                                               "mlock2",
                                               "munlock",
                                               "getrusage",
                                               "sched_setaffinity",
                                               "sched_get_priority_max",
                                               "sched_get_priority_min",
                                               "inotify_init1",
                                               "inotify_add_watch",
                                               "umask",
                                               "capget",
                                               "timerfd_create",
                                               "timerfd_settime",
                                               "signalfd4",
                                               "get_mempolicy",
                                               "set_mempolicy",
                                               "mbind"};

Result<SeccompProgram> runner_filter(const SandboxPolicy& policy, bool confined_signals, const ExecAddresses& exec) {
  const bool threads = policy.threads;
  Filter filter(SCMP_ACT_ERRNO(ENOSYS));
  if (policy.devices)
    for (const char* call : allowed_for_devices) filter.add(SCMP_ACT_ALLOW, call);
  for (const char* call : allowed_to_runners) filter.add(SCMP_ACT_ALLOW, call);
  if (confined_signals) filter.add(SCMP_ACT_ALLOW, "tgkill");
  filter.add(SCMP_ACT_ALLOW, "prlimit64", {argument(0, SCMP_CMP_EQ, 0)});
  filter.add(SCMP_ACT_ALLOW, "personality", {argument(0, SCMP_CMP_MASKED_EQ, lower_half, lower_half)});  // a question
  for (const std::uint64_t command : allowed_fcntl) {
    filter.add(SCMP_ACT_ALLOW, "fcntl", {argument(1, SCMP_CMP_MASKED_EQ, lower_half, command)});
  }
  for (const std::uint64_t request : allowed_ioctl) {
    if (policy.devices) break;
    filter.add(SCMP_ACT_ALLOW, "ioctl", {argument(1, SCMP_CMP_MASKED_EQ, lower_half, request)});
  }
  for (const std::uint64_t option : allowed_prctl) {
    filter.add(SCMP_ACT_ALLOW, "prctl", {argument(0, SCMP_CMP_EQ, option)});
  }
  for (const std::uint64_t bit : {std::uint64_t{MAP_ANONYMOUS}, std::uint64_t{MAP_SHARED}}) {
    if (policy.devices) break;
    filter.add(SCMP_ACT_ALLOW, "mmap", {argument(3, SCMP_CMP_MASKED_EQ, bit, 0)});
  }
  for (const char* call : {"fork", "vfork", "socketpair", "kill", "tkill", "ptrace", "memfd_create", "alarm",
                           "setitimer", "timer_create", "timerfd_create"}) {
    filter.add(SCMP_ACT_ERRNO(EPERM), call);
  }
  if (policy.devices) {
    // The driver's library asks for a server that shares devices between processes. It takes the server's absence for
    // an answer, but no refusal.
    filter.add(SCMP_ACT_ALLOW, "socket", {argument(0, SCMP_CMP_EQ, AF_UNIX)});
    filter.add(SCMP_ACT_ERRNO(ENOENT), "connect");
    // Landlock decides about these calls: nothing is writable, and no socket has a name outside.
    for (const char* call :
         {"setsockopt", "getsockopt", "getsockname", "bind", "listen", "accept", "accept4", "unlink", "symlink"})
      filter.add(SCMP_ACT_ALLOW, call);
  } else {
    filter.add(SCMP_ACT_ERRNO(EPERM), "socket");
  }
  constexpr std::uint64_t thread_flags = CLONE_VM | CLONE_THREAD;
  if (threads) filter.add(SCMP_ACT_ALLOW, "clone", {argument(0, SCMP_CMP_MASKED_EQ, thread_flags, thread_flags)});
  filter.add(SCMP_ACT_ALLOW, "execve", {argument(0, SCMP_CMP_EQ, exec.path)});
  filter.add(SCMP_ACT_ALLOW, "execveat", {argument(1, SCMP_CMP_EQ, exec.empty)});
  return filter.program();
}

}  // namespace

Result<SeccompProgram> build_filter(const SandboxPolicy& policy, bool confined_signals, const ExecAddresses& exec) {
  if (!policy.exec) return runner_filter(policy, confined_signals, exec);
  if (policy.devices) return compiler_filter(confined_signals, true);
  static const Result<SeccompProgram> confined = compiler_filter(true, false);
  static const Result<SeccompProgram> open = compiler_filter(false, false);
  return confined_signals ? confined : open;
}

int enter_seccomp(const SeccompProgram& program) noexcept {
  const sock_fprog filter{static_cast<unsigned short>(program.size()), const_cast<sock_filter*>(program.data())};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 ? 0 : errno;
}

}  // namespace hone::os
