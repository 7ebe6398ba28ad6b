#include "tool/cli/command/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "tool/cli/command/command.h"

namespace hone::cli {
namespace {

std::atomic<int> write_end{-1};
std::atomic<pid_t> owner{-1};
constexpr char interrupt_byte = 'i', stop_byte = 's', end_byte = 'e';

// A terminal sends Ctrl-C to all processes of the job. Those that we forked and that are no other program yet have this
// handler and the pipe: what they wrote would count as a second Ctrl-C.
void on_signal(int signal) {
  if (getpid() != owner) return;
  const int saved = errno;
  [[maybe_unused]] const ssize_t ignored = write(write_end, signal == SIGTSTP ? &stop_byte : &interrupt_byte, 1);
  errno = saved;
}

void handle_stops(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGTSTP, &action, nullptr);
}

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  if (pipe2(pipe_, O_CLOEXEC) != 0) return;  // without descriptors left a signal simply ends us
  write_end = pipe_[1];
  owner = getpid();
  thread_ = std::thread([this] {
    char byte = 0;
    while (true) {
      const ssize_t got = read(pipe_[0], &byte, 1);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0 || byte == end_byte) return;
      if (byte == stop_byte) {
        stop_process();
        continue;
      }
      if (source_.stop_requested()) _exit(interrupted);
      source_.request_stop();
    }
  });
  handle(on_signal);
}

// By the signal's own effect, which stops all threads, until SIGCONT.
void Interrupt::stop_process() {
  const std::lock_guard lock(mutex_);
  if (!before_stop_) return;
  before_stop_();
  handle_stops(SIG_DFL);
  kill(getpid(), SIGTSTP);
  handle_stops(on_signal);
  after_stop_();
}

Interrupt::AroundStop::AroundStop(Interrupt& interrupt, std::function<void()> before, std::function<void()> after)
    : interrupt_(interrupt) {
  const std::lock_guard lock(interrupt_.mutex_);
  interrupt_.before_stop_ = std::move(before);
  interrupt_.after_stop_ = std::move(after);
  if (interrupt_.thread_.joinable()) handle_stops(on_signal);
}

Interrupt::AroundStop::~AroundStop() {
  const std::lock_guard lock(interrupt_.mutex_);
  handle_stops(SIG_DFL);
  interrupt_.before_stop_ = interrupt_.after_stop_ = nullptr;
}

Interrupt::~Interrupt() {
  if (!thread_.joinable()) return;
  handle(SIG_DFL);
  [[maybe_unused]] const ssize_t ignored = write(pipe_[1], &end_byte, 1);
  thread_.join();
  close(pipe_[0]);
  close(pipe_[1]);
}

}  // namespace hone::cli
