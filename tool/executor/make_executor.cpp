#include "tool/executor/make_executor.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/command/words.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/executor/command_executor.h"
#include "tool/executor/said.h"
#include "tool/executor/slurm.h"
#include "tool/executor/slurm_words.h"
#include "tool/executor/staying_executor.h"

namespace hone::executor {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view command_prefix = "command:", slurm_prefix = "slurm:";

// Beside this program as it is built and installed, or from bin/ beside libexec/.
Result<std::string> find_worker() {
  if (const char* named = std::getenv("HONE_WORKER"); named != nullptr && *named != '\0') return std::string(named);
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {"hone-worker", "../libexec/hone/hone-worker"}) {
    const fs::path worker = (folder / place).lexically_normal();
    if (fs::is_regular_file(worker, error)) return worker.string();
  }
  return coded_failure(DiagnosticCode::executor_unreachable, "cannot find hone-worker beside this program",
                       folder.string(), "install Hone whole, or name the worker in HONE_WORKER");
}

// A command that starts workers which stay.
class CommandSource final : public WorkerSource {
 public:
  explicit CommandSource(std::vector<std::string> words) : words_(std::move(words)) {}
  std::vector<std::string> command(const std::set<std::string>&) override { return words_; }
  std::string name() const override { return in_one_line(words_); }
  Meaning meaning(const std::string& words) override { return meaning_of_srun(words); }  // it may be an srun

 private:
  std::vector<std::string> words_;
};

std::shared_ptr<WorkerPool> pool_of(std::unique_ptr<WorkerSource> source, const Options& options) {
  PoolOptions of_pool;
  of_pool.most_workers = options.most_workers;
  of_pool.note = options.note;
  return std::make_shared<WorkerPool>(std::move(source), std::move(of_pool));
}

Result<std::shared_ptr<WorkerPool>> pool_in_slurm(const std::string& text, os::ProcessRunner& runner,
                                                  const Options& options) {
  HONE_TRY(SlurmRequest request, read_slurm_request(text));
  std::string worker;
  if (request.worker.empty()) {
    HONE_TRY(worker, find_worker());
  }
  HONE_TRY(auto source, SlurmSource::open(std::move(request), worker, runner));
  return pool_of(std::move(source), options);
}

Result<std::string> greeting(WorkerPool& pool, std::stop_token stop) {
  HONE_TRY(const bundle::Hello hello, pool.greet(std::move(stop)));
  return fmt::format("a worker on {}{}", hello.processor,
                     hello.devices.empty() ? "" : fmt::format(" with {}", fmt::join(hello.devices, ", ")));
}

// A worker that is given no bundle says so, by its name.
Result<std::string> complaint(std::vector<std::string> words, os::ProcessRunner& runner, std::stop_token stop) {
  const std::string where = in_one_line(words);
  const auto exit = runner.run({.arguments = std::move(words), .timeout = std::chrono::hours(1), .stop = stop});
  if (!exit) return tl::unexpected(exit.error());
  if (exit->err.find("hone-worker: ") != std::string::npos) return "a worker answers";
  const std::string said = last_words(exit->err);
  return coded_failure(DiagnosticCode::executor_unreachable,
                       "no hone-worker answers" + (said.empty() ? "" : ", but this does: " + said), where);
}

}  // namespace

Result<Source> Source::open(const std::string& specification, os::ProcessRunner& runner, Options options) {
  const std::string_view text = specification;
  const auto each = [&](std::vector<std::string> words, bool local) {
    return Source([words, local, &runner] { return std::make_unique<CommandExecutor>(words, local, runner); },
                  [words, &runner](std::stop_token stop) { return complaint(words, runner, std::move(stop)); });
  };
  const auto staying = [](std::shared_ptr<WorkerPool> pool) {
    return Source([pool] { return std::make_unique<StayingExecutor>(pool); },
                  [pool](std::stop_token stop) { return greeting(*pool, std::move(stop)); });
  };
  if (text == "local") {
    HONE_TRY(std::string worker, find_worker());
    return each({std::move(worker), "-"}, true);
  }
  if (text.starts_with(command_prefix)) {
    HONE_TRY(std::vector<std::string> words, split_words(text.substr(command_prefix.size())));
    if (words.back() != "--serve") return each(std::move(words), false);
    return staying(pool_of(std::make_unique<CommandSource>(std::move(words)), options));
  }
  if (is_queue(specification)) {
    HONE_TRY(auto pool, pool_in_slurm(specification.substr(slurm_prefix.size()), runner, options));
    return staying(std::move(pool));
  }
  return coded_failure(DiagnosticCode::executor_unknown, fmt::format("there is no executor '{}'", specification), {},
                       "say local, slurm: and a partition, or command: and the command that reads a bundle");
}

bool is_queue(const std::string& specification) {
  return specification.starts_with(slurm_prefix);
}

Result<std::unique_ptr<bundle::Executor>> make_executor(const std::string& specification, os::ProcessRunner& runner) {
  HONE_TRY(const Source source, Source::open(specification, runner));
  return source.make();
}

}  // namespace hone::executor
