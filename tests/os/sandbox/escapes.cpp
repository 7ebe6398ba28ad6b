// Ways out that sandboxed code might try, one per name, for the tests: exits 0 when it got out, else with 1 and the
// reason on stdout. The argument is another process, a file, or a socket's name.
#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {

std::string argument;

pid_t other() {
  return std::atoi(argument.c_str());
}

int outcome(bool done) {
  if (done) return 0;
  std::printf("%s\n", std::strerror(errno));
  return 1;
}

// Of a call that ends a child at once where it makes one.
int outcome_of_clone(long result) {
  if (result == 0) ::_exit(0);
  return outcome(result > 0);
}

int clone_namespace() {
  return outcome_of_clone(::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}
int clone3_namespace() {
  clone_args arguments{};
  arguments.flags = CLONE_NEWUSER | CLONE_NEWNET;
  arguments.exit_signal = SIGCHLD;
  return outcome_of_clone(::syscall(SYS_clone3, &arguments, sizeof arguments));
}
int enter_namespace() {
  return outcome(::syscall(SYS_setns, 0, CLONE_NEWNET) == 0 || errno == EINVAL);
}

// EFAULT: the address was wrong, but the process was within reach.
int read_memory() {
  char byte;
  const iovec here{&byte, 1}, there{reinterpret_cast<void*>(4096), 1};
  return outcome(::process_vm_readv(other(), &here, 1, &there, 1, 0) >= 0 || errno == EFAULT);
}
int write_memory() {
  char byte = 0;
  const iovec here{&byte, 1}, there{reinterpret_cast<void*>(4096), 1};
  return outcome(::process_vm_writev(other(), &here, 1, &there, 1, 0) >= 0 || errno == EFAULT);
}
int open_memory() {
  return outcome(::open(("/proc/" + argument + "/mem").c_str(), O_RDWR) >= 0);
}
int attach() {
  return outcome(::ptrace(PTRACE_SEIZE, other(), nullptr, nullptr) == 0);
}
int open_process() {
  return outcome(::syscall(SYS_pidfd_open, other(), 0) >= 0);
}
int signal_in_each_way() {
  const bool reached = ::kill(other(), 0) == 0 || ::syscall(SYS_tgkill, other(), other(), 0) == 0 ||
                       ::syscall(SYS_tkill, other(), 0) == 0;
  return outcome(reached);
}
int limit_other() {
  rlimit limit{};
  return outcome(::prlimit(other(), RLIMIT_NOFILE, nullptr, &limit) == 0);
}
int pin_other() {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  for (int number = 0; number < CPU_SETSIZE; ++number) CPU_SET(number, &processors);
  return outcome(::sched_setaffinity(other(), sizeof processors, &processors) == 0);
}
int renice_other() {
  return outcome(::setpriority(PRIO_PROCESS, static_cast<id_t>(other()), 0) == 0);
}
// Whatever becomes ready on stdin makes the kernel signal the other.
int signal_by_descriptor() {
  return outcome(::fcntl(0, F_SETOWN, other()) == 0 && ::fcntl(0, F_SETFL, O_ASYNC) == 0);
}

int raise_priority() {
  sched_param parameters{};
  parameters.sched_priority = 1;
  return outcome(::setpriority(PRIO_PROCESS, 0, -5) == 0 || ::sched_setscheduler(0, SCHED_FIFO, &parameters) == 0);
}
int raise_limit() {
  const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
  for (const auto resource : {RLIMIT_FSIZE, RLIMIT_CORE, RLIMIT_NOFILE, RLIMIT_CPU}) {
    if (::setrlimit(resource, &none) == 0) return 0;
  }
  return outcome(false);
}
int change_personality() {
  return outcome(::personality(ADDR_NO_RANDOMIZE) != -1);
}
int count_events() {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.exclude_kernel = 1;
  return outcome(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0) >= 0);
}
int handle_faults() {
  return outcome(::syscall(SYS_userfaultfd, 1 /* UFFD_USER_MODE_ONLY */) >= 0);
}
// Whatever runs when one goes off runs beside the timed calls.
int set_a_timer() {
  const itimerval soon{{0, 0}, {0, 1000}};
  sigevent none{};
  none.sigev_notify = SIGEV_NONE;
  timer_t timer{};
  return outcome(::setitimer(ITIMER_REAL, &soon, nullptr) == 0 || ::setitimer(ITIMER_PROF, &soon, nullptr) == 0 ||
                 ::timer_create(CLOCK_MONOTONIC, &none, &timer) == 0 || ::syscall(SYS_timerfd_create, 1, 0) >= 0);
}
int find_keyring() {
  return outcome(::syscall(SYS_keyctl, 0, -3, 1) >= 0);
}

int make_shared_objects() {
  const bool made = ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0 || ::semget(IPC_PRIVATE, 1, 0600) >= 0 ||
                    ::msgget(IPC_PRIVATE, 0600) >= 0 || ::open("/dev/shm/left", O_CREAT | O_RDWR, 0600) >= 0 ||
                    ::mq_open("/left", O_CREAT | O_RDWR, 0600, nullptr) >= 0;
  return outcome(made);
}

int connect_to_abstract_socket() {
  const int opened = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, argument.data(), argument.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + argument.size());
  return outcome(opened >= 0 && ::connect(opened, reinterpret_cast<sockaddr*>(&address), size) == 0);
}

int type_on_the_terminal() {
  char letter = 'x';
  const int own = ::open("/dev/tty", O_RDWR);
  const bool typed = ::ioctl(0, TIOCSTI, &letter) == 0 || (own >= 0 && ::ioctl(own, TIOCSTI, &letter) == 0);
  return outcome(own >= 0 || typed || ::ioctl(0, TIOCSCTTY, 1) == 0);
}

// The system calls of another architecture have other numbers, which a filter for this one would misread.
int call_by_another_table() {
#ifdef __x86_64__
  long result = 20;  // getpid
  asm volatile("int $0x80" : "+a"(result) : : "memory");
  return outcome(result > 0);
#else
  return 1;
#endif
}
int call_by_the_32_bit_table() {
  return outcome(::syscall(0x40000000 | 39) > 0);
}

// Who else is there: pids, one a line.
int list_processes() {
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr) return outcome(false);
  while (const dirent* entry = ::readdir(folder)) {
    if (std::atoi(entry->d_name) > 0 && std::atoi(entry->d_name) != ::getpid()) std::puts(entry->d_name);
  }
  return 0;
}

const std::map<std::string, int (*)()> ways = {{"clone-namespace", clone_namespace},
                                               {"clone3-namespace", clone3_namespace},
                                               {"enter-namespace", enter_namespace},
                                               {"read-memory", read_memory},
                                               {"write-memory", write_memory},
                                               {"open-memory", open_memory},
                                               {"attach", attach},
                                               {"open-process", open_process},
                                               {"signal", signal_in_each_way},
                                               {"limit-other", limit_other},
                                               {"pin-other", pin_other},
                                               {"renice-other", renice_other},
                                               {"signal-by-descriptor", signal_by_descriptor},
                                               {"raise-priority", raise_priority},
                                               {"raise-limit", raise_limit},
                                               {"personality", change_personality},
                                               {"events", count_events},
                                               {"faults", handle_faults},
                                               {"keyring", find_keyring},
                                               {"timer", set_a_timer},
                                               {"shared-objects", make_shared_objects},
                                               {"abstract-socket", connect_to_abstract_socket},
                                               {"terminal", type_on_the_terminal},
                                               {"other-table", call_by_another_table},
                                               {"32-bit-table", call_by_the_32_bit_table},
                                               {"processes", list_processes}};

}  // namespace

int main(int count, char** arguments) {
  const auto way = count > 1 ? ways.find(arguments[1]) : ways.end();
  if (way == ways.end()) return 2;
  if (count > 2) argument = arguments[2];
  const int result = way->second();
  std::fflush(stdout);
  return result;
}
