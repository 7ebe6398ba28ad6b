#include "tool/apply/crash_exit.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace hone::apply {
namespace {

constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr std::size_t stack_size = 256 << 10;  // execvp() builds paths on it

// All that the handler may touch.
struct Plan {
  char* const* command = nullptr;
  const char* note = nullptr;
  std::size_t note_size = 0;
  bool strict = false;
};
Plan plan;

void on_crash(int) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, plan.note, plan.note_size);
  if (plan.strict) _exit(1);
  for (const int number : crashes) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execvp(plan.command[0], plan.command);
  _exit(errno == ENOENT ? 127 : 126);
}

}  // namespace

CrashExit::CrashExit(const std::vector<std::string>& command, std::string note, bool strict)
    : words_(command), note_(std::move(note)), stack_(stack_size) {
  for (std::string& word : words_) pointers_.push_back(word.data());
  pointers_.push_back(nullptr);
  plan = {pointers_.data(), note_.data(), note_.size(), strict};
  stack_t stack{};
  stack.ss_sp = stack_.data();
  stack.ss_size = stack_.size();
  sigaltstack(&stack, &stack_before_);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (const int number : crashes) {
    struct sigaction before {};
    sigaction(number, &action, &before);
    before_.emplace_back(number, before);
  }
}

CrashExit::~CrashExit() {
  for (const auto& [number, before] : before_) sigaction(number, &before, nullptr);
  sigaltstack(&stack_before_, nullptr);
}

}  // namespace hone::apply
