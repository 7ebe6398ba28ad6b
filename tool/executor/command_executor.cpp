#include "tool/executor/command_executor.h"

#include <sys/utsname.h>

#include <chrono>
#include <string_view>

#include <fmt/format.h>

#include "tool/bundle/answer.h"
#include "tool/bundle/service.h"
#include "tool/cuda/device_count.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/executor/said.h"

namespace hone::executor {
using namespace std::chrono_literals;
namespace {

// The worker bounds every call by itself; this is for one that is lost. A queue may hold a job for hours.
constexpr auto local_limit = 30min;
constexpr auto command_limit = 24h;

std::string what_happened(const os::Exit& exit) {
  if (exit.timed_out) return fmt::format("did not answer within {:.0f} s", exit.seconds);
  if (exit.signal != 0) return fmt::format("was killed by signal {}", exit.signal);
  return fmt::format("ended with code {}", exit.code);
}

// What a processor is called in a kernel's target, as Clang calls it.
std::string machine_of_this_program() {
  utsname names{};
  return uname(&names) == 0 ? names.machine : "";
}

Result<void> is_of_this_machine(const KernelSpec& spec) {
  const std::string target = spec.target.substr(0, spec.target.find(' ')), here = machine_of_this_program();
  if (target.empty() || here.empty() || target == here) return {};
  return coded_failure(
      DiagnosticCode::executor_machine,
      fmt::format("'{}' is compiled for {}, and this machine is {}", spec.name, target, here),
      fmt::format("{}:{}", spec.file, spec.line),
      fmt::format("let it run where such code does: --executor \"command:ssh BOARD hone-worker -\", with a "
                  "hone-worker built for {} (-DHONE_BUILD_TOOL=OFF)",
                  target));
}

}  // namespace

Result<void> CommandExecutor::ready_for(const KernelSpec& spec) {
  if (!local_) return {};
  if (!spec.cuda) return is_of_this_machine(spec);
  if (const auto& devices = cuda::cuda_devices(); !devices) return tl::unexpected(devices.error());
  return {};
}

Result<bundle::Answer> CommandExecutor::run(const bundle::Bundle& bundle, std::stop_token stop) {
  os::Process process;
  process.arguments = words_;
  process.input = serialize(bundle);
  process.timeout = local_ ? local_limit : command_limit;
  process.output_bytes = bundle::longest_answer;
  process.stop = std::move(stop);
  auto exit = runner_.run(process);
  if (!exit) {
    return coded_failure(DiagnosticCode::executor_unreachable,
                         "the executor cannot be started: " + exit.error().message(), {}, "check --executor");
  }
  if (exit->canceled) return failure("the judgment was stopped");
  if (!exit->ok()) return broken(what_happened(*exit), exit->err);
  if (exit->out.size() >= bundle::longest_answer) return broken("answered without an end", exit->err);
  auto answer = read_answer(exit->out, bundle, process.input, exit->seconds);
  if (!answer) return broken("gave no verdict: " + answer.error().message(), exit->err.empty() ? exit->out : exit->err);
  if (!local_) HONE_CHECK(kept_.admit(*answer));
  return answer;
}

Result<bundle::Answer> CommandExecutor::broken(const std::string& how, const std::string& said) const {
  const std::string last = last_words(said);
  return coded_failure(DiagnosticCode::executor_failed,
                       "the executor " + how + (last.empty() ? "" : ", saying: " + last), in_one_line(words_),
                       "run `hone doctor` where it runs");
}

}  // namespace hone::executor
