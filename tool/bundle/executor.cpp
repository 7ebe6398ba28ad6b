#include "tool/bundle/executor.h"

#include <sys/utsname.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "tool/base/printable.h"
#include "tool/bundle/answer.h"
#include "tool/command/words.h"
#include "tool/cuda/device_count.h"

namespace hone::bundle {
namespace fs = std::filesystem;
using namespace std::chrono_literals;
namespace {

// The worker bounds every call by itself; this is for one that is lost. A queue may hold a job for hours.
constexpr auto local_limit = 30min;
constexpr auto command_limit = 24h;
constexpr std::size_t answer_limit = std::size_t{64} << 20;  // far above any verdict: ends a worker that never stops

// The last lines of what a worker said, for the message: the reason stands there.
std::string tail(std::string_view text) {
  constexpr std::size_t most = 600;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return printable(text.size() <= most ? text : text.substr(text.size() - most));
}

std::string quoted_command(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

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
  return failure(fmt::format("'{}' is compiled for {}, and this machine is {}", spec.name, target, here),
                 fmt::format("{}:{}", spec.file, spec.line),
                 fmt::format("let it run where such code does: --executor \"command:ssh BOARD hone-worker -\", with a "
                             "hone-worker built for {} (-DHONE_BUILD_TOOL=OFF)",
                             target));
}

class CommandExecutor final : public Executor {
 public:
  CommandExecutor(std::vector<std::string> words, bool local, os::ProcessRunner& runner)
      : words_(std::move(words)), local_(local), runner_(runner) {}

  Result<void> ready_for(const KernelSpec& spec) override {
    if (!local_) return {};
    if (!spec.cuda) return is_of_this_machine(spec);
    if (const auto& devices = cuda::cuda_devices(); !devices) return tl::unexpected(devices.error());
    return {};
  }

  Result<Answer> run(const Bundle& bundle, std::stop_token stop) override {
    os::Process process;
    process.arguments = words_;
    process.input = serialize(bundle);
    process.timeout = local_ ? local_limit : command_limit;
    process.output_bytes = answer_limit;
    process.stop = std::move(stop);
    auto exit = runner_.run(process);
    if (!exit) {
      return failure("the executor cannot be started: " + exit.error().message(), {}, "check --executor");
    }
    if (exit->canceled) return failure("the judgment was stopped");
    if (!exit->ok()) return broken(what_happened(*exit), exit->err);
    if (exit->out.size() >= answer_limit) return broken("answered without an end", exit->err);
    auto answer = read_answer(exit->out, bundle, process.input, exit->seconds);
    if (!answer)
      return broken("gave no verdict: " + answer.error().message(), exit->err.empty() ? exit->out : exit->err);
    return answer;
  }

 private:
  Result<Answer> broken(const std::string& how, const std::string& said) const {
    const std::string last = tail(said);
    return failure("the executor " + how + (last.empty() ? "" : ", saying: " + last), quoted_command(words_),
                   "run `hone doctor` where it runs");
  }

  std::vector<std::string> words_;
  bool local_;  // on this machine
  os::ProcessRunner& runner_;
};

// Beside this program as it is built and installed, or from bin/ beside libexec/.
Result<std::string> find_worker() {
  if (const char* named = std::getenv("HONE_WORKER"); named != nullptr && *named != '\0') return std::string(named);
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {"hone-worker", "../libexec/hone/hone-worker"}) {
    const fs::path worker = (folder / place).lexically_normal();
    if (fs::is_regular_file(worker, error)) return worker.string();
  }
  return failure("cannot find hone-worker beside this program", folder.string(),
                 "install Hone whole, or name the worker in HONE_WORKER");
}

}  // namespace

Result<std::unique_ptr<Executor>> make_executor(const std::string& specification, os::ProcessRunner& runner) {
  constexpr std::string_view prefix = "command:";
  if (specification == "local") {
    HONE_TRY(std::string worker, find_worker());
    return std::make_unique<CommandExecutor>(std::vector<std::string>{std::move(worker), "-"}, true, runner);
  }
  if (specification.starts_with(prefix)) {
    HONE_TRY(std::vector<std::string> words, split_words(std::string_view(specification).substr(prefix.size())));
    return std::make_unique<CommandExecutor>(std::move(words), false, runner);
  }
  return failure(fmt::format("there is no executor '{}'", specification), {},
                 "say local, or command: and the command that reads a bundle");
}

}  // namespace hone::bundle
