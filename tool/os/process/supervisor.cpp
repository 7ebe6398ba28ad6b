#include "tool/os/process/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "tool/os/process/descriptors.h"
#include "tool/os/process/disk_use.h"

namespace hone::os {
namespace {

constexpr int look_milliseconds = 20;   // how far a limit may be passed, against what a look costs
constexpr int looks_per_disk_look = 3;  // a walk through the folder costs more than a look at memory

void send_report(int control, const Report& report) noexcept {
  while (::send(control, &report, sizeof report, MSG_NOSIGNAL) < 0 && errno == EINTR) continue;
}

[[noreturn]] void give_up(const Launch& launch, StepError error) noexcept {
  (void)!::write(launch.exec_error, &error, sizeof error);
  ::_exit(127);
}

// First all out of the way, then each to its place: a source may stand where another's target is.
int place_descriptors(Launch& launch) noexcept {
  for (std::size_t i = 0; i < launch.descriptors.size(); ++i) {
    launch.moved[i] = ::fcntl(launch.descriptors[i].source, F_DUPFD_CLOEXEC, first_private_descriptor);
    if (launch.moved[i] < 0) return errno;
  }
  close_descriptors(0, first_private_descriptor - 1);
  for (std::size_t i = 0; i < launch.descriptors.size(); ++i) {
    if (::dup2(launch.moved[i], launch.descriptors[i].target) < 0) return errno;
  }
  // Kept open until exec: the sandbox's and the error pipe are still needed.
  close_descriptors_at_exec(first_private_descriptor, last_descriptor);
  return 0;
}

void restore_signals() noexcept {
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) ::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Linux shares a processor between sessions first (sched_autogroup), and the program has one of its own: there a
// process's own nice value says nothing against ours. Nobody minds where there is no such file, or it says "later".
void stand_back(int nice) noexcept {
  ::setpriority(PRIO_PROCESS, 0, nice);
  const int group = ::open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
  if (group < 0) return;
  const char text[] = {static_cast<char>('0' + nice / 10), static_cast<char>('0' + nice % 10)};
  (void)!::write(group, text, sizeof text);
  ::close(group);
}

// The program's last moments as us. Shares our memory (vfork), so it may change what only it uses.
[[noreturn]] void become_program(Launch& launch) noexcept {
  send_report(launch.control, {ReportKind::started});  // its credentials tell the caller our pid
  ::setsid();
  restore_signals();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (const int error = place_descriptors(launch)) give_up(launch, {error, Step::descriptors});
  if (launch.directory != nullptr && ::chdir(launch.directory) != 0) give_up(launch, {errno, Step::directory});
  if (launch.nice != 0) stand_back(launch.nice);
  if (launch.sandbox != nullptr) {
    if (const StepError error = launch.sandbox->enter()) give_up(launch, error);
  }
  ::execve(launch.path, launch.arguments.data(), launch.environment.data());
  if (errno == EACCES && launch.program >= 0) {
    ::syscall(SYS_execveat, launch.program, launch.empty, launch.arguments.data(), launch.environment.data(),
              AT_EMPTY_PATH);
  }
  give_up(launch, {errno, Step::program});
}

[[gnu::noinline]] pid_t start_program(Launch& launch) noexcept {
  const pid_t child = ::vfork();
  if (child == 0) become_program(launch);
  return child;
}

int watch_children() noexcept {
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  return ::signalfd(-1, &children, SFD_NONBLOCK | SFD_CLOEXEC);
}

// Descriptors of the caller that this copy holds would keep its pipes from ending and its locks from being released.
void close_all_but(int kept) noexcept {
  if (kept > 0) close_descriptors(0, static_cast<unsigned>(kept - 1));
  close_descriptors(static_cast<unsigned>(kept + 1), last_descriptor);
}

class Watch {
 public:
  Watch(Launch& launch, pid_t program) noexcept
      : launch_(launch), program_(program), own_pids_(launch.sandbox != nullptr && launch.sandbox->own_pids()) {}

  Report until_ended() noexcept {
    report_.kind = ReportKind::ended;
    const int children = watch_children();
    const bool tree = launch_.tree->open();
    DiskUse disk(launch_.disk, *launch_.tree);
    const bool limited = launch_.memory_bytes != 0 || launch_.disk_bytes != 0;
    const int timeout = limited && tree ? look_milliseconds : -1;
    while (!ended_) {
      pollfd polled[2] = {{launch_.control, POLLIN, 0}, {children, POLLIN, 0}};
      const int ready = ::poll(polled, 2, timeout);
      if (ready > 0 && polled[0].revents != 0) break;
      if (ready > 0) drain(children);
      reap(WNOHANG);
      if (timeout > 0 && !ended_ && takes_too_much(disk)) break;
    }
    sweep();
    return report_;
  }

 private:
  bool takes_too_much(DiskUse& disk) noexcept {
    report_.over_memory = launch_.memory_bytes != 0 && launch_.tree->resident_bytes() > launch_.memory_bytes;
    const bool looks_at_disk = launch_.disk_bytes != 0 && ++looks_ % looks_per_disk_look == 0;
    report_.over_disk = !report_.over_memory && looks_at_disk && disk.exceeds(launch_.disk_bytes);
    return report_.over_memory || report_.over_disk;
  }

  static void drain(int children) noexcept {
    signalfd_siginfo item;
    while (::read(children, &item, sizeof item) > 0) continue;
  }

  // False: no children are left.
  bool reap(int options) noexcept {
    for (;;) {
      int status = 0;
      const pid_t pid = ::waitpid(-1, &status, options | __WALL);
      if (pid == 0) return true;
      if (pid < 0 && errno == EINTR) continue;
      if (pid < 0) return false;
      if (pid == program_) {
        ended_ = true;
        report_.status = status;
      }
      if ((options & WNOHANG) == 0) return true;
    }
  }

  // A tree that forks faster than one look sees is looked at again. Orphans come to us, so none is out of reach.
  void sweep() noexcept {
    for (;;) {
      if (own_pids_) {
        ::kill(-1, SIGKILL);
      } else {
        ::kill(-program_, SIGKILL);
        if (launch_.tree->signal_descendants(SIGKILL) == 0 && !ended_) ::kill(program_, SIGKILL);
      }
      if (!reap(WNOHANG)) return;
      timespec moment{0, 200'000};
      ::nanosleep(&moment, nullptr);
    }
  }

  Launch& launch_;
  pid_t program_;
  bool own_pids_;
  bool ended_ = false;
  unsigned looks_ = 0;
  Report report_;
};

}  // namespace

void supervise(Launch& launch) noexcept {
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::prctl(PR_SET_NAME, "hone-supervisor");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  if (launch.sandbox != nullptr) {
    if (const StepError error = launch.sandbox->enter_supervisor()) give_up(launch, error);
  }
  // A copy of the caller's memory, secrets included: not to be read through /proc.
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  const pid_t program = start_program(launch);
  if (program < 0) give_up(launch, {errno, Step::program});
  close_all_but(launch.control);
  (void)!::chdir("/");
  const Report report = Watch(launch, program).until_ended();
  send_report(launch.control, report);
  ::_exit(0);
}

}  // namespace hone::os
