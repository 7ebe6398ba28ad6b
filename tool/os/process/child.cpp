#include "tool/os/process/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "tool/os/process/environment.h"
#include "tool/os/process/supervisor.h"
#include "tool/os/process/system_failure.h"

namespace hone::os {
namespace {

// The program's path at an address that nobody can guess: see ExecAddresses.
class HiddenPath {
 public:
  static Result<HiddenPath> create(const std::string& path) {
    const std::size_t size = path.size() + 2;
    for (int attempt = 0; attempt < 64; ++attempt) {
      std::uint64_t random = 0;
      if (::getrandom(&random, sizeof random, 0) != sizeof random) return system_failure("draw random bytes");
      const std::uint64_t page = random % (1ULL << 34) * 4096 + (1ULL << 32);  // under 2^47, as user space is
      void* place = ::mmap(reinterpret_cast<void*>(page), 2 * 65536 + size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
      if (place == MAP_FAILED) continue;
      HiddenPath hidden(place, 2 * 65536 + size, static_cast<char*>(place) + (random >> 48));
      std::memcpy(hidden.path_, path.c_str(), path.size() + 1);
      hidden.path_[path.size() + 1] = '\0';
      return hidden;
    }
    return system_failure("place the program's path");
  }
  HiddenPath(HiddenPath&& other) noexcept
      : place_(std::exchange(other.place_, nullptr)), size_(other.size_), path_(other.path_) {}
  HiddenPath& operator=(HiddenPath&&) = delete;
  ~HiddenPath() {
    if (place_ != nullptr) ::munmap(place_, size_);
  }

  const char* path() const { return path_; }
  const char* empty() const { return path_ + std::strlen(path_) + 1; }
  ExecAddresses addresses() const {
    return {reinterpret_cast<std::uint64_t>(path()), reinterpret_cast<std::uint64_t>(empty())};
  }

 private:
  HiddenPath(void* place, std::size_t size, char* path) : place_(place), size_(size), path_(path) {}
  void* place_;
  std::size_t size_;
  char* path_;
};

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> as_strings(const Environment& environment) {
  std::vector<std::string> strings;
  for (const auto& [name, value] : environment) strings.push_back(name + "=" + value);
  return strings;
}

Environment environment_for(const SpawnOptions& options) {
  if (options.environment) return *options.environment;
  return options.sandbox ? minimal_environment(*options.sandbox) : environment_without_secrets();
}

std::string search_path(const Environment& environment) {
  const auto found = environment.find("PATH");
  return found == environment.end() ? "/usr/local/bin:/usr/bin:/bin" : found->second;
}

struct Pair {
  Descriptor ours, theirs;
};

// Where the limit is below the first number that is asked for, fcntl calls that an invalid argument.
int too_many(int error) {
  return error == EINVAL ? EMFILE : error;
}

Result<Pair> control_sockets() {
  int both[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, both) != 0) return system_failure("make a socket pair");
  Pair pair{Descriptor(both[0]), made_private(Descriptor(both[1]))};
  if (!pair.theirs) return system_failure("keep a socket", too_many(errno));
  const int on = 1;
  if (::setsockopt(both[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) return system_failure("ask for credentials");
  return pair;
}

Result<Pair> error_pipe() {
  int both[2];
  if (::pipe2(both, O_CLOEXEC) != 0) return system_failure("make a pipe");
  Pair pair{Descriptor(both[0]), made_private(Descriptor(both[1]))};
  if (!pair.theirs) return system_failure("keep a pipe", too_many(errno));
  return pair;
}

void complete_standard_streams(std::vector<InheritedDescriptor>& descriptors, int null) {
  for (int target = 0; target <= 2; ++target) {
    const auto names_it = [target](const InheritedDescriptor& item) { return item.target == target; };
    if (std::none_of(descriptors.begin(), descriptors.end(), names_it)) descriptors.push_back({null, target});
  }
}

struct Message {
  std::optional<Report> report;  // absent: the supervisor is gone
  pid_t sender = 0;              // as this process sees it
};

// Waits for one message.
Message receive(int control) {
  Message message;
  Report report;
  iovec part{&report, sizeof report};
  alignas(cmsghdr) char ancillary[CMSG_SPACE(sizeof(ucred))];
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = ancillary;
  header.msg_controllen = sizeof ancillary;
  ssize_t got;
  while ((got = ::recvmsg(control, &header, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) continue;
  if (got != sizeof report) return message;
  message.report = report;
  for (cmsghdr* item = CMSG_FIRSTHDR(&header); item != nullptr; item = CMSG_NXTHDR(&header, item)) {
    if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_CREDENTIALS) continue;
    ucred credentials;
    std::memcpy(&credentials, CMSG_DATA(item), sizeof credentials);
    message.sender = credentials.pid;
  }
  return message;
}

std::optional<StepError> read_step_error(int pipe) {
  StepError error;
  ssize_t got;
  while ((got = ::read(pipe, &error, sizeof error)) < 0 && errno == EINTR) continue;
  if (got != sizeof error) return std::nullopt;
  return error;
}

ChildExit exit_from(const Report& report) {
  ChildExit exit;
  exit.over_memory = report.over_memory;
  exit.over_disk = report.over_disk;
  exit.signal = WIFSIGNALED(report.status) ? WTERMSIG(report.status) : 0;
  exit.code = exit.signal != 0 ? 128 + exit.signal : WEXITSTATUS(report.status);
  return exit;
}

}  // namespace

struct Child::State {
  Descriptor control;
  pid_t supervisor = -1;
  pid_t program = -1;
  std::optional<ChildExit> exit;

  void reap() const {
    while (::waitpid(supervisor, nullptr, __WALL) < 0 && errno == EINTR) continue;
  }
};

Child::Child(std::unique_ptr<State> state) : state_(std::move(state)) {}
Child::Child(Child&&) noexcept = default;
Child& Child::operator=(Child&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}
Child::~Child() {
  if (state_ == nullptr || state_->exit) return;
  kill_tree();
  (void)wait(std::chrono::hours(24));
}

pid_t Child::pid() const {
  return state_->program;
}

void Child::kill_tree() {
  (void)::send(state_->control.get(), "k", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

int Child::exit_descriptor() const {
  return state_->control.get();
}

std::optional<ChildExit> Child::wait(std::chrono::milliseconds timeout) {
  if (state_->exit) return state_->exit;
  const auto until = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
    pollfd polled{state_->control.get(), POLLIN, 0};
    const int ready = ::poll(&polled, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX)));
    if (ready > 0) break;
    if (ready == 0 && left <= 0) return std::nullopt;
  }
  const Message message = receive(state_->control.get());
  state_->reap();
  // A supervisor that died without a word was killed, and its namespace or the parent-death signal took the program
  // along.
  state_->exit = message.report ? exit_from(*message.report) : ChildExit{128 + SIGKILL, SIGKILL};
  return state_->exit;
}

namespace {

// Everything that a Launch points to.
struct Preparation {
  std::string program;
  std::optional<HiddenPath> hidden;
  std::optional<SandboxEntry> sandbox;
  std::vector<std::string> arguments, variables;
  Descriptor null, opened;
  Pair control, errors;
  Launch launch;
};

Result<std::unique_ptr<Preparation>> prepare(const SpawnOptions& options) {
  auto ready = std::make_unique<Preparation>();
  const Environment environment = environment_for(options);
  HONE_TRY(ready->program, find_program(options.arguments.front(), options.directory, search_path(environment)));
  HONE_TRY(HiddenPath hidden, HiddenPath::create(ready->program));
  ready->hidden.emplace(std::move(hidden));
  if (options.sandbox) {
    HONE_TRY(const SandboxLevel level, probe_sandbox());
    HONE_TRY(ready->sandbox,
             SandboxEntry::prepare(*options.sandbox, level, ready->program, ready->hidden->addresses()));
  }
  ready->arguments = options.arguments;
  ready->variables = as_strings(environment);
  ready->null = Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ready->opened = made_private(Descriptor(::open(ready->program.c_str(), O_PATH | O_CLOEXEC)));
  HONE_TRY(ready->control, control_sockets());
  HONE_TRY(ready->errors, error_pipe());
  return ready;
}

void aim(Launch& launch, Preparation& ready, const SpawnOptions& options) {
  launch.path = ready.hidden->path();
  launch.empty = ready.hidden->empty();
  launch.arguments = pointers_to(ready.arguments);
  launch.environment = pointers_to(ready.variables);
  launch.directory = options.directory.empty() ? nullptr : options.directory.c_str();
  launch.descriptors = options.descriptors;
  complete_standard_streams(launch.descriptors, ready.null.get());
  launch.moved.resize(launch.descriptors.size());
  launch.nice = options.nice;
  launch.sandbox = ready.sandbox ? &*ready.sandbox : nullptr;
  if (options.sandbox) {
    launch.memory_bytes = options.sandbox->memory_bytes;
    if (!options.sandbox->writable.empty()) {
      launch.disk_bytes = options.sandbox->disk_bytes;
      launch.disk = options.sandbox->writable.front().c_str();
    }
  }
  launch.program = ready.opened.get();
  launch.control = ready.control.theirs.get();
  launch.exec_error = ready.errors.theirs.get();
  launch.tree = std::make_unique_for_overwrite<ProcessTree>();
}

}  // namespace

Result<Child> spawn(const SpawnOptions& options) {
  if (options.arguments.empty()) return failure("there is no program to run");
  for ([[maybe_unused]] const InheritedDescriptor& item : options.descriptors) {
    assert(item.source >= 0 && item.target >= 0 && item.target < first_private_descriptor);
  }
  HONE_TRY(const std::unique_ptr<Preparation> ready, prepare(options));
  aim(ready->launch, *ready, options);

  // The supervisor has no exit signal, so that a wait() elsewhere in this process does not meet it.
  const int flags = ready->sandbox ? ready->sandbox->clone_flags() : 0;
  const long supervisor = ::syscall(SYS_clone, flags, nullptr, nullptr, nullptr, nullptr);
  if (supervisor == 0) supervise(ready->launch);
  if (supervisor < 0) return system_failure("start a process");
  ready->control.theirs.reset();
  ready->errors.theirs.reset();

  auto state = std::make_unique<Child::State>();
  state->control = std::move(ready->control.ours);
  state->supervisor = static_cast<pid_t>(supervisor);
  const Message started = receive(state->control.get());
  state->program = started.sender;
  const std::optional<StepError> error = read_step_error(ready->errors.ours.get());
  Child child(std::move(state));
  if (error) {
    return failure(fmt::format("cannot {}: {}", to_string(error->step), std::strerror(error->error)), ready->program,
                   advice_on(error->error));
  }
  if (!started.report) return failure("its supervisor died", ready->program);
  return child;
}

}  // namespace hone::os
