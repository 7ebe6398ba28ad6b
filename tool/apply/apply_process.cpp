#include "tool/apply/apply_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <utility>

#include "tool/apply/compiler_guard.h"

namespace hone::apply {
namespace {

constexpr std::array kForwarded = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
volatile std::sig_atomic_t g_guard = 0;  // signal handlers see nothing else
volatile std::sig_atomic_t g_interrupted = 0;

void forward(int signal) {
  g_interrupted = 1;
  if (g_guard > 0) kill(g_guard, signal);
}

// While it lives, signals that would end us end the compiler, and we end as it did. SIGCHLD ignored, as some callers
// leave it, would hide how it ended.
class SignalForwarding {
 public:
  SignalForwarding() {
    struct sigaction action = {};
    action.sa_handler = forward;
    action.sa_flags = SA_RESTART;
    for (int number : kForwarded) replace(number, action);
    action.sa_handler = SIG_DFL;
    replace(SIGCHLD, action);
    sigprocmask(SIG_SETMASK, nullptr, &mask_);
  }
  ~SignalForwarding() {
    for (const auto& [number, before] : before_) sigaction(number, &before, nullptr);
  }
  const std::vector<std::pair<int, struct sigaction>>& before() const { return before_; }
  const sigset_t& mask() const { return mask_; }

 private:
  void replace(int number, const struct sigaction& action) {
    struct sigaction before = {};
    sigaction(number, nullptr, &before);
    before_.emplace_back(number, before);
    // A signal that is ignored, as after nohup, stays so.
    if (before.sa_handler != SIG_IGN || number == SIGCHLD) sigaction(number, &action, nullptr);
  }

  std::vector<std::pair<int, struct sigaction>> before_;
  sigset_t mask_;
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

}  // namespace

Result<CompilerExit> run_compiler(const std::vector<std::string>& command, Diagnostics diagnostics,
                                  const std::string& output) {
  Descriptor held(diagnostics == Diagnostics::held ? memfd_create("hone-diagnostics", MFD_CLOEXEC) : -1);
  if (diagnostics == Diagnostics::held && held.get() < 0)
    return failure(std::string("cannot hold diagnostics back: ") + std::strerror(errno));
  const SignalForwarding signals;
  const GuardedCompile compile{pointers(command), held.get(), output, signals.before(), signals.mask()};
  const auto tree = std::make_unique<os::ProcessTree>();
  pid_t parent = getpid();
  pid_t guard = fork();
  if (guard < 0) return failure(std::string("cannot fork: ") + std::strerror(errno));
  if (guard == 0) guard_compiler(compile, *tree, parent);
  g_guard = guard;
  int status = 0;
  while (waitpid(guard, &status, 0) < 0 && errno == EINTR) {
  }
  g_guard = 0;
  CompilerExit exit;
  exit.interrupted = g_interrupted != 0;
  if (WIFSIGNALED(status))
    exit.signal = WTERMSIG(status), exit.code = 128 + exit.signal;
  else
    exit.code = WEXITSTATUS(status);
  if (held.get() >= 0) exit.diagnostics = content(held.get());
  return exit;
}

Error first_error(const CompilerExit& exit) {
  const std::string& text = exit.diagnostics;
  std::size_t at = text.find("error");
  if (at == std::string::npos) at = 0;
  std::size_t begin = text.rfind('\n', at);
  begin = begin == std::string::npos ? 0 : begin + 1;
  return {text.substr(begin, text.find('\n', at) - begin), "", ""};
}

int pass_on(const CompilerExit& exit) {
  if (exit.signal == 0) return exit.code;
  const rlimit none{};
  setrlimit(RLIMIT_CORE, &none);  // the compiler's own is enough
  std::signal(exit.signal, SIG_DFL);
  std::raise(exit.signal);
  return exit.code;
}

std::vector<std::string> with_colors(std::vector<std::string> command, const CompilerLine& line) {
  if (isatty(STDERR_FILENO) && !line.nvcc)  // nvcc has no colors of its own
    command.insert(command.begin() + static_cast<std::ptrdiff_t>(line.compiler) + 1, "-fdiagnostics-color=always");
  return command;
}

std::vector<std::string> without_unused_functions(std::vector<std::string> command, const CompilerLine& line) {
  if (!line.nvcc) command.emplace_back("-Wno-unused-function");  // the last word on it counts
  return command;
}

}  // namespace hone::apply
