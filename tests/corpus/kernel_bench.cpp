#include "tests/corpus/kernel_bench.h"

#include <sys/stat.h>

#include <cstdlib>
#include <map>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include "cache/digest.h"
#include "tool/base/text_constants.h"
#include "tool/compile/object/object_gain.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/frontend/unit/double_unit.h"
#include "tool/os/files/files.h"

namespace hone::corpus {
namespace {

namespace fs = std::filesystem;

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  return std::move(*result);
}

// This very program: another build of it may compile otherwise.
std::string build_stamp() {
  struct stat status {};
  if (stat("/proc/self/exe", &status) != 0) return "";
  return fmt::format("{} {} {}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

fs::path object_folder() {
  static const fs::path folder = [] {
    const fs::path all = HONE_CORPUS_OBJECTS, own = all / cache::sha256(build_stamp()).substr(0, 16);
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(all, error))
      if (entry.path() != own) fs::remove_all(entry.path(), error);
    return own;
  }();
  return folder;
}

constexpr struct {
  const char* name;
  std::string compile::Objects::*place;
} parts[] = {{"plain.so", &compile::Objects::plain},
             {"sanitized.so", &compile::Objects::sanitized},
             {"sanitizer_runtime", &compile::Objects::sanitizer_runtime},
             {"race_checked.so", &compile::Objects::race_checked},
             {"race_runtime", &compile::Objects::race_runtime},
             {"plain.o", &compile::Objects::relocatable}};

std::optional<compile::Objects> read_objects(const std::string& digest) {
  const fs::path folder = object_folder() / digest;
  compile::Objects objects;
  for (const auto& [name, place] : parts) {
    auto bytes = os::read_file(folder / name);
    if (!bytes) return std::nullopt;
    objects.*place = *std::move(bytes);
  }
  return objects;
}

void keep_objects(const std::string& digest, const compile::Objects& objects) {
  const fs::path folder = object_folder() / digest;
  for (const auto& [name, place] : parts)
    if (!os::write_file_atomically(folder / name, objects.*place)) return;
}

// All kernels of one standard are compiled alike, so that the compiler need be asked only once what it is.
compile::Compiler& compiler(const CompileCommand& command) {
  static os::PosixProcessRunner runner;
  static std::map<std::string, compile::Compiler> by_standard;
  return by_standard.try_emplace(command.arguments[1], runner, command).first->second;
}

// One short look, long enough for a cheat that waits for the hundredth call; hardly a chance for luck.
statistics::AcceptanceRule short_rule() {
  statistics::AcceptanceRule rule;
  rule.looks = {0.06};
  rule.shares.clear();
  rule.confidence = 0.9999;
  return rule;
}

std::uint64_t fresh_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

}  // namespace

fs::path corpus_folder() {
  const char* other = std::getenv("HONE_CORPUS");
  return other && *other ? other : HONE_CORPUS_FOLDER;
}

KernelBench& KernelBench::of(const std::string& name, const std::string& standard) {
  static std::map<std::pair<std::string, std::string>, std::unique_ptr<KernelBench>> benches;
  auto& bench = benches[{name, standard}];
  if (!bench) bench.reset(new KernelBench(name, standard));
  return *bench;
}

KernelBench::KernelBench(const std::string& name, const std::string& standard) {
  const fs::path file = corpus_folder() / "kernels" / (name + ".cpp");
  command_ = {.directory = file.parent_path(),
              .file = file,
              .output = "kernel.o",
              .arguments = {"g++", "-std=" + standard, "-O2", "-fopenmp", "-c", file, "-o", "kernel.o"}};
  auto found = must(frontend::find_kernels(command_, {}));
  if (found.kernels.size() != 1 || !found.diagnostics.empty())
    throw std::runtime_error(file.string() + ": " +
                             (found.diagnostics.empty() ? "no kernel" : found.diagnostics.front().rendered));
  spec_ = std::move(found.kernels.front().spec);
  unit_text_ = spec_.unit.prologue + spec_.unit.opening + spec_.unit.closing + spec_.unit.harness;
  setenv("HONE_WORKER", HONE_WORKER, 1);
  executor_ = must(executor::make_executor("local", runner_));
}

std::variant<compile::Objects, Verdict> KernelBench::compile(const std::string& source,
                                                             std::optional<compile::CompileLimits> limits) {
  std::string words;
  for (const std::string& word : command_.arguments) words += word + '\n';
  const std::string digest = cache::sha256(words + unit_text_ + '\0' + source);
  if (auto kept = read_objects(digest)) {
    kept->constants = text_constants(source);
    return *std::move(kept);
  }
  if (!unit_) unit_ = must(compiler(command_).freeze(spec_));
  auto compiled = limits ? must(compile::Compiler(runner_, command_, *limits).compile(*unit_, source))
                         : must(compiler(command_).compile(*unit_, source));
  if (const auto* objects = std::get_if<compile::Objects>(&compiled)) keep_objects(digest, *objects);
  return compiled;
}

Verdict KernelBench::run(bundle::Task task, const compile::Objects& candidate, bundle::Depth depth) {
  if (!original_objects_) {
    auto compiled = compile(spec_.unit.definition);
    if (const Verdict* refused = std::get_if<Verdict>(&compiled)) throw std::runtime_error(refused->reason);
    original_objects_ = std::get<compile::Objects>(std::move(compiled));
  }
  bundle::Bundle bundle;
  bundle.kernel = spec_;
  bundle.data = spec_;
  bundle.plan.task = task;
  bundle.plan.depth = depth;
  bundle.plan.constants = candidate.constants;
  bundle.plan.seed = fresh_seed();
  bundle.plan.rule = short_rule();
  bundle.plan.timeout_seconds = 1;
  bundle.plan.sanitizer_preload = original_objects_->sanitizer_runtime;
  bundle.plan.race_preload = original_objects_->race_runtime;
  if (const auto& precise = this->precise()) {
    bundle.precise_reference = precise->second;
    bundle.precise_data = precise->first;
  }
  bundle.reference = original_objects_->plain;
  bundle.sanitized_reference = original_objects_->sanitized;
  bundle.race_checked_reference = original_objects_->race_checked;
  bundle.candidate = candidate.plain;
  bundle.sanitized_candidate = candidate.sanitized;
  bundle.race_checked_candidate = candidate.race_checked;
  return must(executor_->run(bundle));
}

// The original in double, as the program has it made.
const std::optional<std::pair<KernelSpec, std::string>>& KernelBench::precise() {
  if (precise_) return *precise_;
  precise_.emplace();
  const auto widened = frontend::widened(spec_, command_, {});
  if (!widened.spec) return *precise_;
  const auto unit = must(compiler(command_).freeze(*widened.spec));
  const auto compiled = must(compiler(command_).compile(unit, unit.definition, {}, compile::Builds::plain));
  if (const auto* objects = std::get_if<compile::Objects>(&compiled)) {
    precise_->emplace(*widened.spec, objects->plain);
    (*precise_)->first.unit = {};
    (*precise_)->first.key_dump.clear();
  }
  return *precise_;
}

const Verdict& KernelBench::original() {
  if (!original_) original_ = run(bundle::Task::reference, {});
  return *original_;
}

std::string KernelBench::refusal(const std::string& candidate) {
  if (!gate_) gate_.emplace(must(frontend::Gate::open(spec_, command_, {})));
  return gate_->objection(candidate);
}

Verdict KernelBench::judge(const std::string& candidate) {
  const std::string refused = refusal(candidate);
  return refused.empty() ? judge_beyond_the_gate(candidate, Object::looked_at)
                         : hone::refusal(Stage::gate, refused, DiagnosticCode::none);
}

Verdict KernelBench::judge_in_depth(const std::string& candidate, bundle::Depth depth) {
  const std::string refused = refusal(candidate);
  if (!refused.empty()) return hone::refusal(Stage::gate, refused, DiagnosticCode::none);
  const auto objects = objects_of(candidate, Object::looked_at);
  if (const Verdict* ended = std::get_if<Verdict>(&objects)) return *ended;
  return run(bundle::Task::candidate, std::get<compile::Objects>(objects), depth);
}

Verdict KernelBench::judge_beyond_the_gate(const std::string& candidate, Object object,
                                           std::optional<compile::CompileLimits> limits) {
  const auto made = objects_of(candidate, object, limits);
  if (const Verdict* ended = std::get_if<Verdict>(&made)) return *ended;
  const auto& objects = std::get<compile::Objects>(made);
  const Verdict trial = run(bundle::Task::candidate, objects);
  return trial.right ? run(bundle::Task::candidate, objects, bundle::Depth::held_out) : trial;
}

std::variant<compile::Objects, Verdict> KernelBench::objects_of(const std::string& candidate, Object object,
                                                                std::optional<compile::CompileLimits> limits) {
  auto compiled = compile(candidate, limits);
  if (object == Object::not_looked_at || std::holds_alternative<Verdict>(compiled)) return compiled;
  const auto original = compile(spec_.unit.definition);
  Verdict refused;
  refused.stage = Stage::compile;
  refused.code = DiagnosticCode::object_brings;
  if (const auto* objects = std::get_if<compile::Objects>(&original))
    refused.reason =
        compile::object_gain(objects->relocatable, std::get<compile::Objects>(compiled).relocatable, spec_.threads > 1);
  if (!refused.reason.empty()) return refused;
  return compiled;
}

}  // namespace hone::corpus
