#include "tool/judge/process/runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tool/base/printable.h"
#include "tool/judge/ground/shared_memory.h"
#include "tool/judge/process/process_status.h"
#include "tool/judge/process/runner_environment.h"
#include "tool/judge/process/runner_state.h"
#include "tool/os/files/files.h"
#include "tool/os/files/scratch_file.h"

namespace hone::judge {
namespace {

constexpr std::size_t most_left_bytes = 64u << 20;            // far beyond what callgrind or ncu write of one call
constexpr auto last_breath = std::chrono::milliseconds(500);  // from the end of the channel to the end of the process

// A runner that leaves its requests lying must not hold the judge up.
void limit_sending(int socket) {
  const timeval limit{.tv_sec = static_cast<time_t>(harness_timeout), .tv_usec = 0};
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

Result<os::Descriptor> make_report_file() {
  os::Descriptor file(memfd_create("hone-report", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file || ftruncate(file.get(), report_bytes) != 0 ||
      fcntl(file.get(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
    return failure("cannot make a memory file for reports", "memfd");
  return file;
}

// For who opens it by its name; executable.
Result<os::Descriptor> named_copy(const std::string& object, const std::string& path) {
  HONE_CHECK(os::write_scratch_file(path, object));
  os::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || ::fchmod(file.get(), 0555) != 0)
    return failure(std::string("cannot open what was written: ") + std::strerror(errno), path);
  return file;
}

}  // namespace

std::uint64_t unguessable() {
  std::uint64_t bits = 0;
  while (getrandom(&bits, sizeof bits, 0) < 0 && errno == EINTR) {
  }
  return bits;
}

Runner::Runner(std::unique_ptr<State> state) : state_(std::move(state)) {}
Runner::Runner(Runner&&) noexcept = default;
Runner& Runner::operator=(Runner&&) noexcept = default;
Runner::~Runner() = default;

Result<Runner> Runner::start(const std::string& object, RunnerOptions options) {
  auto state = std::make_unique<State>();
  state->options = std::move(options);
  if (!state->options.under.empty()) HONE_CHECK(give_folders(*state, object));
  if (!state->object) {
    HONE_TRY(state->object, SharedMemory::sealed_copy(object));
  }
  if (state->options.sanitizers == Sanitizers::races) {
    HONE_TRY(const std::string order, os::read_file(state->options.order));
    HONE_TRY(state->order, SharedMemory::sealed_copy(order));
  }
  Runner runner(std::move(state));
  HONE_CHECK(runner.restart());
  return runner;
}

// What runs the runner has files: the sanitizer's two halves meet in them, callgrind leaves its counts. It also opens
// the runner by name, and the way to where that is installed may be closed to the sandbox's identity.
Result<void> Runner::give_folders(State& state, const std::string& object) {
  HONE_TRY(state.folder, os::TemporaryFolder::create("hone-runner"));
  HONE_TRY(state.programs, os::TemporaryFolder::create("hone-runner-programs"));
  HONE_TRY(const std::string program, os::read_file(state.options.program));
  HONE_TRY(const os::Descriptor runner, named_copy(program, state.programs->path() / "hone-runner"));
  if (state.options.object_has_name) {
    HONE_TRY(state.object, named_copy(object, state.programs->path() / "candidate.so"));
  }
  HONE_TRY(const os::SandboxLevel level, os::probe_sandbox());
  const os::SandboxIdentity identity = os::sandbox_identity(level);
  HONE_CHECK(state.folder->give_to(identity.uid, identity.gid));
  return state.programs->give_to(identity.uid, identity.gid);
}

void Runner::run_under(const State& state, os::SpawnOptions& spawn) {
  const std::string path = state.folder->path().string(), programs = state.programs->path().string();
  spawn.arguments = state.options.under;
  for (std::string& argument : spawn.arguments)
    if (const std::size_t at = argument.find(runner_folder); at != std::string::npos)
      argument.replace(at, runner_folder.size(), path);
  spawn.arguments.push_back(programs + "/hone-runner");
  spawn.descriptors.push_back({state.report.get(), 1});
  (*spawn.environment)["TMPDIR"] = path;
  spawn.sandbox->writable = {path};
  auto& readable = spawn.sandbox->readable;
  readable.push_back(programs);
  readable.insert(readable.end(), state.options.readable.begin(), state.options.readable.end());
}

Result<void> Runner::restart() {
  State& state = *state_;
  state.child.reset();
  state.addresses.clear();
  state.lent.clear();
  state.is_ready = false;
  state.socket_timeout = -1;
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
    return failure(std::string("cannot make a socket pair: ") + std::strerror(errno), "hone-runner");
  state.socket = os::Descriptor(pair[0]);
  state.request.id = 0;
  limit_sending(pair[0]);
  const os::Descriptor theirs(pair[1]);
  HONE_TRY(state.report, make_report_file());
  os::SpawnOptions spawn;
  spawn.arguments = {state.options.program};
  spawn.directory = "/";
  spawn.environment = environment_for(state.options);
  spawn.sandbox = policy_for(state.options);
  spawn.descriptors = {{theirs.get(), runner::socket_descriptor},
                       {state.object.get(), runner::object_descriptor},
                       {state.report.get(), 2}};
  if (state.order) spawn.descriptors.push_back({state.order.get(), runner::order_descriptor});
  if (!state.options.under.empty()) run_under(state, spawn);
  HONE_TRY(os::Child child, os::spawn(spawn));
  state.child.emplace(std::move(child));
  state.has_clock = clock_getcpuclockid(state.child->pid(), &state.cpu_clock) == 0;
  run_on(state.cpus);
  return {};
}

RunnerFailure Runner::end_process(RunnerFailure::Kind kind, double seconds) {
  State& state = *state_;
  RunnerFailure failure{.kind = kind, .seconds = seconds};
  if (kind == RunnerFailure::Kind::crashed) failure.fault = state.reply.fault;
  if (state.child) {
    std::optional<os::ChildExit> exit;
    if (kind == RunnerFailure::Kind::crashed || kind == RunnerFailure::Kind::ended ||
        kind == RunnerFailure::Kind::device)
      exit = state.child->wait(last_breath);
    if (!exit) {
      if (kind == RunnerFailure::Kind::ended) failure.kind = RunnerFailure::Kind::nonsense;
      state.child->kill_tree();
      exit = state.child->wait(std::chrono::seconds(5));
    }
    if (exit) {
      failure.exit_code = exit->code;
      failure.exit_signal = exit->signal;
      failure.over_memory = exit->over_memory;
    }
  }
  failure.text =
      failure.kind == RunnerFailure::Kind::nonsense ? "closed its channel to the judge and went on" : report();
  state.child.reset();
  state.has_clock = false;
  return failure;
}

RunnerFailure Runner::nonsense(std::string text) {
  RunnerFailure failure = end_process(RunnerFailure::Kind::nonsense);
  failure.text = std::move(text);
  return failure;
}

std::string Runner::report() const {
  std::string text(report_bytes, '\0');
  const ssize_t got = pread(state_->report.get(), text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  text.erase(std::min(text.find('\0'), text.size()));
  return printable(text);
}

std::string Runner::finish() {
  State& state = *state_;
  if (!state.child) return report();
  state.socket.reset();
  if (!state.child->wait(std::chrono::seconds(10))) state.child->kill_tree();
  std::string text = report();
  state.child.reset();
  state.has_clock = false;
  return text;
}

Result<std::string> Runner::left_file(const std::string& name) const {
  const std::string path = (state_->folder->path() / name).string();
  const os::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::size_t>(status.st_size) > most_left_bytes)
    return failure("it left no such file, or a huge one", path);
  return os::read_file(fmt::format("/proc/self/fd/{}", file.get()));
}

std::span<const std::uint64_t> Runner::addresses(unsigned set) const {
  const auto found = state_->addresses.find(set);
  return found == state_->addresses.end() ? std::span<const std::uint64_t>() : found->second;
}

double Runner::cpu_seconds() const {
  timespec time{};
  if (!state_->has_clock || clock_gettime(state_->cpu_clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

unsigned long Runner::waits() const {
  return state_->child ? ProcessStatus(state_->child->pid()).voluntary_switches() : 0;
}

unsigned long Runner::threads() const {
  return state_->child ? ProcessStatus(state_->child->pid()).threads() : 0;
}

std::size_t Runner::mapped_bytes() const {
  return state_->child ? ProcessStatus(state_->child->pid()).mapped_bytes() : 0;
}

const runner::Balance& Runner::balance() const {
  return state_->reply.balance;
}

void Runner::run_on(std::vector<int> cpus) {
  state_->cpus = std::move(cpus);
  if (!state_->child || state_->cpus.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu : state_->cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
  sched_setaffinity(state_->child->pid(), sizeof set, &set);
}

}  // namespace hone::judge
