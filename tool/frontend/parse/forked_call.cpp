#include "tool/frontend/parse/forked_call.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>
#include <thread>

#include <fmt/format.h>

namespace hone::frontend {
namespace {

using Clock = std::chrono::steady_clock;

std::size_t address_space_in_use() {
  std::size_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void limit(int resource, rlim_t value) {
  rlimit both{};
  ::getrlimit(static_cast<__rlimit_resource_t>(resource), &both);
  both.rlim_cur = both.rlim_max == RLIM_INFINITY ? value : std::min(value, both.rlim_max);
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

bool write_all(int descriptor, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

// Length and text: the pipe's end alone says nothing, as another thread's child may hold it open too.
[[noreturn]] void answer(const std::function<std::string()>& function, const CallLimits& limits, std::size_t in_use,
                         int descriptor) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGINT, SIGTERM, SIGPIPE, SIGXCPU})
    ::signal(number, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<rlim_t>(limits.time.count()));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose shadow takes terabytes
  limit(RLIMIT_AS, in_use + limits.memory);
#endif
  const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null >= 0) ::dup2(null, STDERR_FILENO);
  const std::string text = function();
  const std::uint64_t size = text.size();
  const bool sent = write_all(descriptor, reinterpret_cast<const char*>(&size), sizeof size) &&
                    write_all(descriptor, text.data(), text.size());
  ::_exit(sent ? 0 : 1);
}

class Child {
 public:
  Child(pid_t pid, int descriptor) : pid_(pid), descriptor_(descriptor) {}
  ~Child() {
    ::close(descriptor_);
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // False: it ended, or the time is over, before that many bytes came.
  bool read(char* data, std::size_t size, Clock::time_point until) {
    while (size > 0) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
      if (left <= 0) return late_ = true, false;
      pollfd ready{descriptor_, POLLIN, 0};
      const int polled = ::poll(&ready, 1, static_cast<int>(std::min<long long>(left, 50)));
      if (polled < 0 && errno != EINTR) return false;
      if (polled == 0 && !has_ended()) continue;
      const ssize_t count = ::read(descriptor_, data, size);
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
        if (ended_) return false;
        continue;
      }
      if (count <= 0) return wait_for_end(until), false;
      data += count;
      size -= static_cast<std::size_t>(count);
    }
    return true;
  }

  bool late() const { return late_; }
  bool out_of_time() const { return ended_ && killed_by_ == SIGXCPU; }

 private:
  // Its pipe ends a moment before the process does.
  void wait_for_end(Clock::time_point until) {
    while (!has_ended() && Clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  // Looks without reaping: the process number stays ours until the end.
  bool has_ended() {
    siginfo_t info{};
    if (ended_) return true;
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_) {
      ended_ = true;
      killed_by_ = info.si_code == CLD_EXITED ? 0 : info.si_status;
    }
    return ended_;
  }

  const pid_t pid_;
  const int descriptor_;
  bool ended_ = false, late_ = false;
  int killed_by_ = 0;
};

class OwnThread {
 public:
  OwnThread(const std::function<void()>& function, std::size_t stack) : bytes_(stack + guard_) {
    stack_ =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack_ == MAP_FAILED || ::mprotect(stack_, guard_, PROT_NONE) != 0) return;
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstack(&attributes, static_cast<char*>(stack_) + guard_, stack);
    void* const called = const_cast<std::function<void()>*>(&function);
    runs_ = ::pthread_create(&thread_, &attributes, call, called) == 0;
    ::pthread_attr_destroy(&attributes);
  }
  ~OwnThread() {
    if (runs_) ::pthread_join(thread_, nullptr);
    if (stack_ != MAP_FAILED) ::munmap(stack_, bytes_);
  }
  OwnThread(const OwnThread&) = delete;
  OwnThread& operator=(const OwnThread&) = delete;

  bool runs() const { return runs_; }

 private:
  static constexpr std::size_t guard_ = 1 << 16;  // bytes below it: who needs more stack is stopped there

  static void* call(void* function) {
    (*static_cast<const std::function<void()>*>(function))();
    return nullptr;
  }

  const std::size_t bytes_;
  void* stack_ = MAP_FAILED;
  pthread_t thread_{};
  bool runs_ = false;
};

}  // namespace

void run_at_once(const std::vector<std::function<void()>>& functions, std::size_t stack) {
  std::deque<OwnThread> threads;
  for (const std::function<void()>& function : functions)
    if (!threads.emplace_back(function, stack).runs()) function();
}

std::shared_mutex& parsing() {
  static std::shared_mutex mutex;
  return mutex;
}

CallOutcome isolated_call(const std::function<std::string()>& function, const CallLimits& limits) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return {std::nullopt, "no pipe for its process: " + std::string(std::strerror(errno))};
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  const std::size_t in_use = address_space_in_use();
  pid_t pid = -1;
  {
    const std::unique_lock paused(parsing());
    pid = ::fork();
    if (pid == 0) {
      new (&parsing()) std::shared_mutex;  // that of the parent's thread, which is not here to open it
      answer(function, limits, in_use, ends[1]);
    }
  }
  const int failed = errno;
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    return {std::nullopt, "no process for it: " + std::string(std::strerror(failed))};
  }

  Child child(pid, ends[0]);
  const std::chrono::seconds by_the_clock = 5 * limits.time + std::chrono::minutes(1);
  const Clock::time_point until = Clock::now() + by_the_clock;
  std::uint64_t size = 0;
  std::string text;
  if (child.read(reinterpret_cast<char*>(&size), sizeof size, until) && size < (std::uint64_t{1} << 24)) {
    text.resize(size);
    if (child.read(text.data(), size, until)) return {std::move(text), ""};
  }
  if (child.late()) return {std::nullopt, fmt::format("it has not ended after {} s", by_the_clock.count())};
  if (child.out_of_time()) return {std::nullopt, fmt::format("it takes more than {} s", limits.time.count())};
  return {std::nullopt, fmt::format("it makes Clang fail, or takes more than {} GiB", limits.memory >> 30)};
}

}  // namespace hone::frontend
