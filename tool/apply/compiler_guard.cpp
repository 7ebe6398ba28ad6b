#include "tool/apply/compiler_guard.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace hone::apply {
namespace {

constexpr int orphaned = SIGUSR1;
constexpr int looks_before_force = 100;  // half a second for compilers to remove their temporary files
constexpr timespec moment{0, 5'000'000};

[[noreturn]] void become_compiler(const GuardedCompile& compile) {
  for (const auto& [number, disposition] : compile.dispositions) sigaction(number, &disposition, nullptr);
  sigprocmask(SIG_SETMASK, &compile.mask, nullptr);
  if (compile.held >= 0) dup2(compile.held, STDERR_FILENO);
  execvp(compile.command[0], compile.command.data());
  const int error = errno;
  dprintf(STDERR_FILENO, "hone: cannot start %s: %s\n", compile.command[0], std::strerror(error));
  _exit(error == ENOENT ? 127 : 126);
}

[[noreturn]] void end_as(int status) {
  if (!WIFSIGNALED(status)) _exit(WEXITSTATUS(status));
  const rlimit none{};
  setrlimit(RLIMIT_CORE, &none);  // the compiler has left its own where it may
  signal(WTERMSIG(status), SIG_DFL);
  sigset_t all;
  sigemptyset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  raise(WTERMSIG(status));
  _exit(128 + WTERMSIG(status));
}

class Guard {
 public:
  Guard(const GuardedCompile& compile, os::ProcessTree& tree, pid_t parent)
      : compile_(compile), tree_(tree), parent_(parent), before_(modified()) {}

  [[noreturn]] void run() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    wait_for_signals_only();
    prctl(PR_SET_PDEATHSIG, orphaned);
    if (getppid() != parent_) _exit(127);
    compiler_ = fork();
    if (compiler_ < 0) _exit(126);
    if (compiler_ == 0) become_compiler(compile_);
    for (;;) on_signal(next_signal());
  }

 private:
  // Signals that are ignored stay so: they never arrive here.
  void wait_for_signals_only() {
    signal(SIGCHLD, SIG_DFL);
    signal(orphaned, SIG_DFL);
    sigemptyset(&awaited_);
    sigaddset(&awaited_, SIGCHLD);
    sigaddset(&awaited_, orphaned);
    for (const auto& [number, disposition] : compile_.dispositions) {
      sigaction(number, &disposition, nullptr);
      sigaddset(&awaited_, number);
    }
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &awaited_, nullptr);
  }

  siginfo_t next_signal() const {
    siginfo_t signal;
    while (sigwaitinfo(&awaited_, &signal) < 0) continue;
    return signal;
  }

  // The kernel sends `orphaned` in the parent's name when the thread that made us ends, and that waits for us: what
  // ends is the parent. Another thread of it may end a moment later, and until then it still is our parent.
  void on_signal(const siginfo_t& signal) {
    if (signal.si_signo == SIGCHLD) return reap();
    if (signal.si_signo == orphaned && (signal.si_pid == parent_ || getppid() != parent_)) end_all();
    kill(compiler_, signal.si_signo);
  }

  void reap() const {
    int status = 0;
    for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0;)
      if (child == compiler_) end_as(status);
  }

  // Politely first: compilers remove what they have begun. Then what there still is of the output.
  [[noreturn]] void end_all() {
    if (tree_.open()) {
      for (int look = 0; tree_.signal_descendants(look < looks_before_force ? SIGTERM : SIGKILL) > 0; ++look) {
        nanosleep(&moment, nullptr);
        while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
      }
    }
    const timespec now = modified();
    const bool begun = now.tv_sec != before_.tv_sec || now.tv_nsec != before_.tv_nsec;
    if (begun && !compile_.output.empty()) unlink(compile_.output.c_str());
    _exit(127);
  }

  timespec modified() const {
    struct stat status {};
    const bool is_file = stat(compile_.output.c_str(), &status) == 0 && S_ISREG(status.st_mode);
    return is_file ? status.st_mtim : timespec{};
  }

  const GuardedCompile& compile_;
  os::ProcessTree& tree_;
  pid_t parent_;
  pid_t compiler_ = -1;
  timespec before_;
  sigset_t awaited_{};
};

}  // namespace

void guard_compiler(const GuardedCompile& compile, os::ProcessTree& tree, pid_t parent) {
  Guard(compile, tree, parent).run();
}

}  // namespace hone::apply
