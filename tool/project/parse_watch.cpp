#include "tool/project/parse_watch.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>

#include "tool/diagnostics/coded_failure.h"

namespace hone::project {
namespace {

constexpr int deadly[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr std::size_t stack_size = 64 << 10;
constexpr std::size_t most_environment = 4096, most_text = 64 << 10;
constexpr std::string_view ended_variable = "HONE_PARSE_ENDED=";

// All that the handler may touch.
char** restart_words = nullptr;
std::string ended_sources;  // sources, a line each
thread_local const char* source_on_watch = nullptr;
std::atomic_flag restarting = ATOMIC_FLAG_INIT;
char* restart_environment[most_environment + 2];
char restart_text[most_text];

bool append_to_restart(std::size_t& size, const char* more, std::size_t length) {
  if (size + length + 2 > most_text) return false;
  std::memcpy(restart_text + size, more, length);
  size += length;
  return true;
}

// NAME=… with this source, behind the variables that there are.
bool write_restart_environment() {
  std::size_t size = 0, count = 0;
  if (!append_to_restart(size, ended_variable.data(), ended_variable.size()) ||
      !append_to_restart(size, ended_sources.data(), ended_sources.size()) ||
      !append_to_restart(size, source_on_watch, std::strlen(source_on_watch)))
    return false;
  restart_text[size] = '\n';
  restart_text[size + 1] = '\0';
  while (environ[count] && count < most_environment) {
    restart_environment[count] = environ[count];
    ++count;
  }
  restart_environment[count] = restart_text;
  restart_environment[count + 1] = nullptr;
  return true;
}

void on_crash(int number) {
  if (source_on_watch && restarting.test_and_set())
    for (;;) pause();  // another thread is at it
  if (source_on_watch && write_restart_environment()) {
    sigset_t none;
    sigemptyset(&none);
    for (const int one : deadly) signal(one, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execve("/proc/self/exe", restart_words, restart_environment);
  }
  signal(number, SIG_DFL);
  raise(number);
}

}  // namespace

void restart_on_crash(char** own_words) {
  const std::string name(ended_variable.substr(0, ended_variable.size() - 1));
  if (const char* before = std::getenv(name.c_str())) ended_sources = before;
  unsetenv(name.c_str());
  restart_words = own_words;
}

Result<void> survives(const std::string& source) {
  if (("\n" + ended_sources).find("\n" + source + "\n") == std::string::npos) return {};
  return coded_failure(
      DiagnosticCode::crashed, "Clang, with which Hone reads sources, ends abnormally on it", source,
      "its kernels keep their originals; take apart what nests deeply in it, or annotate in another file");
}

ParseWatch::ParseWatch(const std::string& source) : source_(source), stack_(restart_words ? stack_size : 0) {
  if (!restart_words) return;
  stack_t stack{};
  stack.ss_sp = stack_.data();
  stack.ss_size = stack_.size();
  sigaltstack(&stack, &stack_before_);
  source_on_watch = source_.c_str();
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_handler = on_crash;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const int number : deadly) sigaction(number, &action, nullptr);
  });
}

ParseWatch::~ParseWatch() {
  if (!restart_words) return;
  source_on_watch = nullptr;
  sigaltstack(&stack_before_, nullptr);
}

}  // namespace hone::project
