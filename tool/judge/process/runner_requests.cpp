// The requests of a Runner, and how it hears their replies.
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>

#include "tool/base/printable.h"
#include "tool/judge/ground/shared_memory.h"
#include "tool/judge/process/process_status.h"
#include "tool/judge/process/reply_check.h"
#include "tool/judge/process/runner.h"
#include "tool/judge/process/runner_state.h"

namespace hone::judge {
namespace {

using runner::Command;

constexpr double start_timeout = 20;  // the loader, on a busy machine; AddressSanitizer's start
constexpr double busy_patience = 10;  // times a call's limit, for who is kept from running by other work
constexpr std::uint64_t highest_address = std::uint64_t{1} << 57;  // of a process, with five levels of page tables

// The loader's words say which name it misses, and not why.
std::string with_advice(std::string said) {
  constexpr std::string_view kMissing = "undefined symbol: ";
  const std::size_t at = said.find(kMissing);
  if (at == std::string::npos) return said;
  const std::string name = said.substr(at + kMissing.size());
  return said + "; '" + name +
         "' is defined in another file, or in a library that the judge does not know: it links shared libraries that "
         "CMake, or hone cc --database, has seen the program link; call it outside of the kernel, and pass in the "
         "result";
}

}  // namespace

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
  failure.text = state.is_ready ? "could not do what the judge asked: " + printable_line(text)
                                : with_advice("does not load: " + printable_line(text));
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

// What the set has mapped from now on.
runner::Lending Runner::lend(unsigned set, const SharedHandle& inputs, const SharedHandle& outputs) {
  const std::array memory{inputs.lent_as, outputs.lent_as};
  const auto before = state_->lent.find(set);
  if (inputs.lent_bytes == 0) return state_->lent.erase(set), runner::Lending::none;
  if (before != state_->lent.end() && before->second == memory) return runner::Lending::as_before;
  state_->lent[set] = memory;
  return runner::Lending::anew;
}

RunnerAnswer<void> Runner::map(unsigned set, std::span<const runner::Region> regions, SharedHandle inputs,
                               SharedHandle outputs) {
  assert(set < runner::most_sets && regions.size() <= runner::most_parameters);
  runner::Request& request = state_->request;
  request.lent_bytes[0] = inputs.lent_bytes;
  request.lent_bytes[1] = outputs.lent_bytes;
  HONE_CHECK(ready());
  request.command = Command::map;
  request.lent = lend(set, inputs, outputs);
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

RunnerAnswer<void> Runner::renew(unsigned set, std::uint64_t key, bool thoroughly) {
  if (state_->options.sanitizers != Sanitizers::none || !state_->options.under.empty()) return {};
  HONE_CHECK(ready());
  state_->request.command = Command::renew;
  state_->request.set = set;
  state_->request.key = key;
  state_->request.renewing =
      (thoroughly ? runner::renew_thoroughly : 0) | (state_->options.may_allocate ? runner::renew_freed : 0);
  HONE_CHECK(send(runner::short_request));
  return receive(runner::short_reply, harness_timeout);
}

RunnerAnswer<void> Runner::unmap(unsigned set) {
  HONE_CHECK(ready());
  state_->request.command = Command::unmap;
  state_->lent.erase(set);
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

}  // namespace hone::judge
