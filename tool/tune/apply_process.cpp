#include "tool/tune/apply_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

namespace hone::tune {
namespace {

constexpr std::array kForwarded = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
volatile std::sig_atomic_t g_compiler = 0;  // signal handlers see nothing else

void forward(int signal) {
  if (g_compiler > 0) kill(g_compiler, signal);
}

// While it lives, signals that would end us end the compiler, and we end as it did.
class SignalForwarding {
 public:
  SignalForwarding() {
    struct sigaction action = {};
    action.sa_handler = forward;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < kForwarded.size(); ++i) sigaction(kForwarded[i], &action, &before_[i]);
  }
  ~SignalForwarding() { restore(); }
  void restore() const {
    for (std::size_t i = 0; i < kForwarded.size(); ++i) sigaction(kForwarded[i], &before_[i], nullptr);
  }

 private:
  std::array<struct sigaction, kForwarded.size()> before_;
};

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  int get() const { return number_; }

 private:
  int number_;
};

std::string content(int descriptor) {
  std::string text;
  char buffer[65536];
  lseek(descriptor, 0, SEEK_SET);
  for (ssize_t count; (count = read(descriptor, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  return text;
}

std::vector<char*> pointers(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  return argv;
}

// Only what is safe between fork and exec.
[[noreturn]] void become(char* const* argv, int held, const SignalForwarding& signals, pid_t parent) {
  signals.restore();
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // a compiler that outlives us would write an object that nobody waits for
  if (getppid() != parent) _exit(127);
  if (held >= 0) dup2(held, STDERR_FILENO);
  execvp(argv[0], argv);
  _exit(errno == ENOENT ? 127 : 126);
}

}  // namespace

Result<CompilerExit> run_compiler(const std::vector<std::string>& command, Diagnostics diagnostics) {
  Descriptor held(diagnostics == Diagnostics::held ? memfd_create("hone-diagnostics", MFD_CLOEXEC) : -1);
  if (diagnostics == Diagnostics::held && held.get() < 0)
    return failure(std::string("cannot hold diagnostics back: ") + std::strerror(errno));
  std::vector<char*> argv = pointers(command);
  SignalForwarding signals;
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0) return failure(std::string("cannot fork: ") + std::strerror(errno));
  if (child == 0) become(argv.data(), held.get(), signals, parent);
  g_compiler = child;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  g_compiler = 0;
  CompilerExit exit;
  if (WIFSIGNALED(status))
    exit.signal = WTERMSIG(status), exit.code = 128 + exit.signal;
  else
    exit.code = WEXITSTATUS(status);
  if (held.get() >= 0) exit.diagnostics = content(held.get());
  return exit;
}

int pass_on(const CompilerExit& exit) {
  if (exit.signal == 0) return exit.code;
  std::signal(exit.signal, SIG_DFL);
  std::raise(exit.signal);
  return exit.code;
}

}  // namespace hone::tune
