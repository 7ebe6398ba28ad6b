#include "tool/judge/process/runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>

#include "tool/base/printable.h"
#include "tool/base/random.h"
#include "tool/judge/ground/shared_memory.h"
#include "tool/judge/process/process_status.h"
#include "tool/judge/process/reply_check.h"
#include "tool/judge/process/runner_environment.h"
#include "tool/os/files/files.h"

namespace hone::judge {
namespace {

using runner::Command;

constexpr std::size_t most_left_bytes = 64u << 20;  // far beyond what callgrind or ncu write of one call
constexpr double start_timeout = 20;                // the loader, on a busy machine; AddressSanitizer's start
constexpr double harness_timeout = 10;              // problem(), extents, mapping
constexpr double busy_patience = 10;                // times a call's limit, for who is kept from running by other work
constexpr auto last_breath = std::chrono::milliseconds(500);  // from the end of the channel to the end of the process
constexpr std::uint64_t highest_address = std::uint64_t{1} << 57;  // of a process, with five levels of page tables

// Numbers of requests, which what never saw the request cannot know.
std::uint64_t entropy() {
  std::uint64_t bits = 0;
  while (getrandom(&bits, sizeof bits, 0) < 0 && errno == EINTR) {
  }
  return bits;
}

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
  HONE_CHECK(os::write_file_atomically(path, object));
  os::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || ::fchmod(file.get(), 0555) != 0)
    return failure(std::string("cannot open what was written: ") + std::strerror(errno), path);
  return file;
}

}  // namespace

struct Runner::State {
  RunnerOptions options;
  os::Descriptor object;
  os::Descriptor order;
  os::Descriptor report;
  os::Descriptor socket;
  std::optional<os::TemporaryFolder> folder, programs;  // of a program that runs the runner: to write in, to read
  std::optional<os::Child> child;
  clockid_t cpu_clock = 0;
  bool has_clock = false;
  bool is_ready = false;
  std::vector<int> cpus;
  double socket_timeout = -1;
  runner::Request request{};
  runner::Reply reply{};
  std::map<unsigned, std::vector<std::uint64_t>> addresses;
  Random ids{entropy()};
};

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

// Between a reply and the next request there is nothing to say. A crash of a thread that was left behind is told then.
RunnerAnswer<void> Runner::hear_nothing() {
  State& state = *state_;
  const ssize_t got = recv(state.socket.get(), &state.reply, sizeof state.reply, MSG_DONTWAIT | MSG_TRUNC);
  if (got < 0) return {};
  if (got == 0) return tl::unexpected(end_process(RunnerFailure::Kind::ended));
  if (check_reply(state.reply, static_cast<std::size_t>(got), 0, 0) == ReplyCheck::fault)
    return tl::unexpected(end_process(RunnerFailure::Kind::crashed));
  return tl::unexpected(nonsense("spoke on the judge's channel without being asked"));
}

RunnerAnswer<void> Runner::send(std::size_t bytes, int inputs, int outputs) {
  State& state = *state_;
  if (!state.child) return tl::unexpected(RunnerFailure{.kind = RunnerFailure::Kind::ended});
  HONE_CHECK(hear_nothing());
  state.request.id = std::max<std::uint64_t>(state.ids.bits(), 1);
  iovec vector{&state.request, bytes};
  msghdr message{};
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))] = {};
  if (inputs >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(2 * sizeof(int));
    const int files[2] = {inputs, outputs};
    std::memcpy(CMSG_DATA(header), files, sizeof files);
  }
  ssize_t sent;
  do sent = sendmsg(state.socket.get(), &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  if (sent != static_cast<ssize_t>(bytes)) return tl::unexpected(end_process(RunnerFailure::Kind::ended));
  return {};
}

RunnerAnswer<void> Runner::receive(std::size_t bytes, double timeout_seconds) {
  State& state = *state_;
  if (!state.child) return tl::unexpected(RunnerFailure{.kind = RunnerFailure::Kind::ended});
  if (timeout_seconds != state.socket_timeout) {
    const auto microseconds = static_cast<long long>(std::clamp(timeout_seconds, 1e-6, 1e6) * 1e6);
    const timeval limit{.tv_sec = static_cast<time_t>(microseconds / 1'000'000),
                        .tv_usec = static_cast<suseconds_t>(microseconds % 1'000'000)};
    setsockopt(state.socket.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    state.socket_timeout = timeout_seconds;
  }
  const double before = cpu_seconds();
  double ran = 0, waited = 0;
  ssize_t got;  // of the whole message; descriptors that come with it are dropped by the system
  bool kept_waiting = false;
  do {
    got = recv(state.socket.get(), &state.reply, sizeof state.reply, MSG_TRUNC);
    if (got >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) break;
    ran = cpu_seconds() - before;
    waited += timeout_seconds;
    kept_waiting = 2 * ran < waited && ProcessStatus(state.child->pid()).is_runnable();
    if (!kept_waiting || 2 * ran > timeout_seconds || waited >= busy_patience * timeout_seconds) {
      RunnerFailure failure = end_process(RunnerFailure::Kind::timed_out, waited);
      if (kept_waiting) failure.ran_seconds = ran;
      return tl::unexpected(std::move(failure));
    }
  } while (got < 0);
  if (got <= 0) return tl::unexpected(end_process(RunnerFailure::Kind::ended));
  switch (check_reply(state.reply, static_cast<std::size_t>(got), state.request.id, bytes)) {
    case ReplyCheck::answer:
      return {};
    case ReplyCheck::fault:
      return tl::unexpected(end_process(RunnerFailure::Kind::crashed));
    case ReplyCheck::device_fault: {
      const std::string text(state.reply.text, strnlen(state.reply.text, runner::text_bytes));
      RunnerFailure failure = end_process(RunnerFailure::Kind::device);
      failure.text = printable_line(text);
      return tl::unexpected(std::move(failure));
    }
    case ReplyCheck::refusal:
      return tl::unexpected(refusal());
    case ReplyCheck::no_reply:
      return tl::unexpected(nonsense("answered the judge with what is no reply"));
    case ReplyCheck::another_request:
      return tl::unexpected(nonsense("answered another request than the judge's last"));
    case ReplyCheck::another_kind:
      break;
  }
  return tl::unexpected(nonsense("answered the judge with a reply of another kind"));
}

// The runner's own words, or what claims to be.
RunnerFailure Runner::refusal() {
  State& state = *state_;
  const std::string_view text(state.reply.text, strnlen(state.reply.text, runner::text_bytes));
  RunnerFailure failure =
      end_process(state.is_ready ? RunnerFailure::Kind::nonsense : RunnerFailure::Kind::refused_to_load);
  failure.text = (state.is_ready ? "could not do what the judge asked: " : "does not load: ") + printable_line(text);
  return failure;
}

RunnerAnswer<void> Runner::ready() {
  if (state_->is_ready) return {};
  HONE_CHECK(receive(runner::short_reply, start_timeout));
  state_->is_ready = true;
  return {};
}

RunnerAnswer<void> Runner::load(const std::string& object) {
  HONE_CHECK(ready());
  auto sealed = SharedMemory::sealed_copy(object);
  if (!sealed) return tl::unexpected(nonsense(sealed.error().message()));
  state_->object = *std::move(sealed);
  state_->request.command = Command::load;
  HONE_CHECK(send(runner::short_request, state_->object.get(), state_->object.get()));
  return receive(runner::short_reply, start_timeout);
}

RunnerAnswer<std::vector<runner::Scalar>> Runner::assign_problem(unsigned problem,
                                                                 std::span<const runner::Scalar> scalars) {
  HONE_CHECK(ready());
  runner::Request& request = state_->request;
  request.command = Command::problem;
  request.number = problem;
  std::copy(scalars.begin(), scalars.end(), request.scalars);
  HONE_CHECK(send(sizeof request));
  HONE_CHECK(receive(sizeof(runner::Reply), harness_timeout));
  return std::vector<runner::Scalar>(state_->reply.scalars, state_->reply.scalars + scalars.size());
}

RunnerAnswer<ExpressionValues> Runner::evaluate(std::span<const runner::Scalar> scalars, unsigned expressions) {
  assert(expressions <= runner::most_expressions);
  HONE_CHECK(ready());
  runner::Request& request = state_->request;
  request.command = Command::evaluate;
  std::copy(scalars.begin(), scalars.end(), request.scalars);
  HONE_CHECK(send(sizeof request));
  HONE_CHECK(receive(sizeof(runner::Reply), harness_timeout));
  const auto& values = state_->reply.values;
  return ExpressionValues{{values.integers, values.integers + expressions}, {values.reals, values.reals + expressions}};
}

RunnerAnswer<void> Runner::wake() {
  HONE_CHECK(ready());
  state_->request.command = Command::wake;
  HONE_CHECK(send(runner::short_request));
  return receive(runner::short_reply, harness_timeout);
}

RunnerAnswer<void> Runner::map(unsigned set, std::span<const runner::Region> regions, SharedHandle inputs,
                               SharedHandle outputs) {
  assert(set < runner::most_sets && regions.size() <= runner::most_parameters);
  runner::Request& request = state_->request;
  request.lent = inputs.lent_bytes > 0;
  request.lent_bytes[0] = inputs.lent_bytes;
  request.lent_bytes[1] = outputs.lent_bytes;
  HONE_CHECK(ready());
  request.command = Command::map;
  request.set = set;
  request.number = static_cast<std::uint32_t>(regions.size());
  std::copy(regions.begin(), regions.end(), request.regions);
  HONE_CHECK(send(sizeof request, inputs.descriptor, outputs.descriptor));
  HONE_CHECK(receive(sizeof(runner::Reply), harness_timeout));
  const std::span<const std::uint64_t> said(state_->reply.addresses, regions.size());
  if (std::ranges::any_of(said, [](std::uint64_t address) { return address >= highest_address; }))
    return tl::unexpected(nonsense("says that its arguments lie where no memory is"));
  state_->addresses[set].assign(said.begin(), said.end());
  return {};
}

RunnerAnswer<void> Runner::renew(std::uint64_t key, bool thoroughly) {
  if (state_->options.sanitizers != Sanitizers::none || !state_->options.under.empty()) return {};
  HONE_CHECK(ready());
  state_->request.command = Command::renew;
  state_->request.key = key;
  state_->request.thoroughly = thoroughly;
  HONE_CHECK(send(runner::short_request));
  return receive(runner::short_reply, harness_timeout);
}

RunnerAnswer<void> Runner::unmap(unsigned set) {
  HONE_CHECK(ready());
  state_->request.command = Command::unmap;
  state_->request.set = set;
  HONE_CHECK(send(runner::short_request));
  return receive(runner::short_reply, harness_timeout);
}

RunnerAnswer<void> Runner::bind(unsigned set, std::span<const runner::Binding> bindings,
                                std::span<const runner::Scalar> scalars, std::uint32_t result_binding) {
  assert(bindings.size() >= scalars.size() && bindings.size() <= runner::most_parameters);
  HONE_CHECK(ready());
  runner::Request& request = state_->request;
  request.command = Command::bind;
  request.set = set;
  request.number = static_cast<std::uint32_t>(bindings.size());
  request.result_binding = result_binding;
  std::copy(bindings.begin(), bindings.end(), request.bindings);
  std::copy(scalars.begin(), scalars.end(), request.scalars);
  HONE_CHECK(send(sizeof request));
  return receive(runner::short_reply, harness_timeout);
}

void Runner::plan_request(runner::Command command, unsigned set, const CallPlan& plan) {
  runner::Request& request = state_->request;
  request.command = command;
  request.set = set;
  request.manner = plan.manner;
  request.first_slot = plan.first_slot;
  request.slots = plan.slots;
  request.calls = plan.calls;
  request.result_poison = plan.result_poison;
  request.watch = plan.watch;
}

RunnerAnswer<void> Runner::prepare(unsigned set, const CallPlan& plan, double timeout_seconds) {
  HONE_CHECK(ready());
  plan_request(Command::prepare, set, plan);
  HONE_CHECK(send(runner::short_request));
  return receive(runner::short_reply, timeout_seconds);
}

RunnerAnswer<void> Runner::collect(double timeout_seconds) {
  HONE_CHECK(ready());
  state_->request.command = Command::collect;
  HONE_CHECK(send(runner::short_request));
  return receive(runner::short_reply, timeout_seconds);
}

RunnerAnswer<std::vector<std::byte>> Runner::call(unsigned set, const CallPlan& plan, double timeout_seconds) {
  HONE_CHECK(ready());
  plan_request(Command::call, set, plan);
  HONE_CHECK(send(runner::short_request));
  HONE_CHECK(receive(runner::call_reply, timeout_seconds));
  const auto* result = reinterpret_cast<const std::byte*>(state_->reply.result);
  return std::vector<std::byte>(result, result + runner::result_bytes);
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
