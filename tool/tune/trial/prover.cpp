#include "tool/tune/trial/prover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tool/bundle/spec_json.h"
#include "tool/compile/unit/compile_folder.h"
#include "tool/model/kernel_language.h"
#include "tool/model/workload_kernel.h"
#include "tool/os/files/scratch_file.h"
#include "tool/os/process/environment.h"

namespace hone::tune {
namespace fs = std::filesystem;
namespace {

constexpr double grace = 1, busy = 3;  // seconds to start and to give up in; of the clock for one of its own

// hone-prove beside this program, as it is built and installed, or where HONE_PROVE says (empty: none).
std::string find_program() {
  std::error_code error;
  if (const char* named = std::getenv("HONE_PROVE")) return fs::exists(named, error) ? named : "";
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place : {folder / "hone-prove", folder / "../libexec/hone/hone-prove"})
    if (fs::exists(place, error)) return place.lexically_normal().string();
  return "";
}

std::string find_clang() {
  const os::Environment environment = os::environment_without_secrets();
  const auto path = environment.find("PATH");
  for (const char* name : {"clang++-19", "clang++"})
    if (const auto program = os::find_program(name, "/", path == environment.end() ? "" : path->second))
      return *program;
  return "";
}

bool is_floating(const ElementType& element) {
  return std::ranges::all_of(element.fields,
                             [](const Field& field) { return field.type.kind == ScalarKind::floating; });
}

// Every output is, so that it need not be tried.
bool gives_floating_alone(const KernelSpec& spec) {
  return (!spec.result || is_floating(*spec.result)) && std::ranges::all_of(spec.parameters, [](const Parameter& p) {
           return !p.pointer || p.role == Role::in || is_floating(p.element);
         });
}

}  // namespace

Prover::Prover(os::ProcessRunner& runner, const KernelSpec& spec, const CompileCommand& command)
    : runner_(runner), spec_(spec), command_(command) {}

std::string Prover::prepare(std::stop_token stop) {
  if (spec_.cuda) return "kernels of a device are not compared";
  if (spec_.threads > 1) return "it has threads";
  if (has_workload(spec_)) return "a workload makes its arguments";
  if (spec_.built) return "its arguments are made of several parts";
  if (gives_floating_alone(spec_)) return "its results are floating-point numbers";
  program_ = find_program();
  if (program_.empty()) return "hone-prove is not installed";
  const std::string clang = find_clang();
  if (clang.empty()) return "clang++ is not installed";
  if (is_c(spec_)) command_.arguments.insert(command_.arguments.begin() + 1, {"-x", "c"});
  command_.arguments.front() = clang;
  clang_.emplace(runner_, command_);
  Result<compile::FrozenUnit> unit = clang_->freeze(spec_);
  if (!unit) return "Clang does not take its unit: " + unit.error().message();
  unit_ = std::move(*unit);
  auto original = clang_->compile_to_bitcode(unit_, unit_.definition, stop);
  if (!original || !*original) return "Clang does not compile the original";
  original_ = std::move(**original);
  return "";
}

bundle::Proof Prover::prove(const std::string& source, double seconds, std::stop_token stop) {
  {
    const std::lock_guard lock(preparing_);
    if (!why_not_) why_not_ = prepare(stop);
  }
  bundle::Proof proof{.why = *why_not_};
  if (!proof.why.empty()) return proof;
  auto candidate = clang_->compile_to_bitcode(unit_, source, stop);
  if (!candidate || !*candidate) {
    proof.why = "Clang does not compile it";
    return proof;
  }
  auto answer = compare(**candidate, seconds, stop);
  if (answer) return std::move(*answer);
  proof.why = answer.error().message();
  return proof;
}

Result<bundle::Proof> Prover::compare(const std::string& candidate, double seconds, std::stop_token stop) {
  HONE_TRY(const os::TemporaryFolder folder, compile::folder_for_sandbox());
  const std::string description =
      bundle::write_spec(spec_, spec_).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  HONE_CHECK(os::write_scratch_file(folder.path() / "spec.json", description));
  HONE_CHECK(os::write_scratch_file(folder.path() / "original.bc", original_));
  HONE_CHECK(os::write_scratch_file(folder.path() / "candidate.bc", candidate));
  HONE_TRY(os::Process process, clang_->process_beside(program_, folder.path(), stop));
  process.timeout = std::chrono::milliseconds(static_cast<long long>(1000 * (busy * seconds + grace)));
  for (const std::string& word : {std::string("spec.json"), std::string("original.bc"), std::string("candidate.bc"),
                                  fmt::format("{:.3f}", seconds)})
    process.arguments.push_back(word);
  HONE_TRY(const os::Exit exit, runner_.run(process));
  if (exit.timed_out) return bundle::Proof{.why = "it took longer than there is time"};
  if (!exit.ok()) return bundle::Proof{.why = fmt::format("hone-prove ended with code {}", exit.code)};
  HONE_TRY(bundle::Proof proof, bundle::parse_proof(exit.out));
  proof.seconds = exit.seconds;
  return proof;
}

}  // namespace hone::tune
