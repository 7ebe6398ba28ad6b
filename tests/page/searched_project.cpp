#include "tests/page/searched_project.h"

#include <array>
#include <cmath>
#include <random>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cache/bound_source.h"
#include "tool/lock/ledger.h"
#include "tool/os/files/files.h"
#include "tool/project/kernels.h"
#include "tool/tune/model/recording.h"
#include "tool/tune/model/run_header.h"
#include "tool/tune/trial/journal.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;

// Of each kernel, with the original's seconds.
constexpr std::array<std::pair<const char*, double>, 2> kProblems{{{"n=4000", 8e-6}, {"n=1001", 2e-6}}};

std::string source_of(unsigned kernels) {
  std::string text = "// Each adds up what is near.\n";
  for (unsigned i = 0; i < kernels; ++i)
    text += fmt::format(
        "\n#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=4000) problem(n=1001)\n"
        "void k{0}(const float* x, float* y, int n) {{\n"
        "  // the first and the last have one neighbor\n"
        "  for (int i = 0; i < n; ++i) {{\n"
        "    float sum = x[i] * {0}.5f;\n"
        "    if (i > 0) sum += x[i - 1];\n"
        "    if (i + 1 < n) sum += x[i + 1];\n"
        "    y[i] = sum;\n"
        "  }}\n"
        "}}\n",
        i);
  return text;
}

// One kernel's search, from its original to what is kept.
class Search {
 public:
  Search(const SearchedProject& project, const project::ProjectKernel& kernel, unsigned number)
      : project_(project),
        kernel_(kernel),
        random_(number + 1),
        faster_(number % 5 != 4),
        text_(number % project.text_in_each ? "" : project.text) {}

  Result<void> write() {
    HONE_CHECK(write_journal());
    if (number_of_calls_) HONE_CHECK(write_recording());
    lock::Ledger ledger(kernel_.spec, kernel_.unit, [](const std::string&) {});
    return ledger.keep(record(), faster_ ? code(project_.trials) : std::string());
  }

  void ask_model(unsigned calls) { number_of_calls_ = calls; }

 private:
  std::string code(unsigned trial) const {
    const std::string& original = kernel_.spec.unit.definition;
    const std::size_t loop = original.find("for (int i");
    return fmt::format("{}#pragma GCC unroll {}\n  {}// trial {} {}\n", original.substr(0, loop), trial,
                       original.substr(loop), trial, text_);
  }

  double drawn(double median, double spread) {
    return median * std::exp(std::normal_distribution<double>(0, spread)(random_));
  }

  Verdict timed(double ratio, unsigned pairs) {
    Verdict verdict;
    verdict.stage = ratio > 1.02 ? Stage::done : Stage::time;
    verdict.right = true;
    verdict.faster = ratio > 1.02;
    verdict.reason = fmt::format("{}: {:.2f}x {}", verdict.faster ? "faster" : "not faster", ratio, text_);
    verdict.sandbox = "full";
    verdict.machine = "AMD EPYC 9V74";
    verdict.seconds = 1.5;
    verdict.tolerance_used = 0.12;
    verdict.tried.cases = 28;
    verdict.tried.scalars = {{"n", 0, 5000}};
    verdict.tried.values = {"uniform", "nan", "all equal"};
    verdict.tried.checks = {"guard pages at both ends of each array",
                            "AddressSanitizer and UndefinedBehaviorSanitizer"};
    verdict.tried.not_tried = {"data races: it has one thread"};
    Measurement& measurement = verdict.measurement;
    measurement.clock = "process-cpu";
    measurement.decided = true;
    measurement.speedup = {ratio, ratio * 0.98, ratio * 1.02};
    for (const auto& [label, seconds] : kProblems)
      measurement.problems.push_back(problem(label, seconds, ratio, pairs));
    return verdict;
  }

  ProblemMeasurement problem(const std::string& label, double seconds, double ratio, unsigned pairs) {
    ProblemMeasurement problem;
    problem.label = label;
    problem.speedup = {ratio, ratio * 0.98, ratio * 1.02};
    problem.reference_seconds = seconds;
    problem.candidate_seconds = seconds / ratio;
    for (unsigned i = 0; i < pairs; ++i) {
      problem.reference_samples.push_back(drawn(seconds, 0.03));
      problem.candidate_samples.push_back(drawn(seconds / ratio, 0.03));
    }
    return problem;
  }

  Verdict failed(Stage stage, DiagnosticCode code, const std::string& reason) {
    Verdict verdict;
    verdict.code = code;
    verdict.stage = stage;
    verdict.reason = reason + " " + text_;
    verdict.detail = "kernel.cpp:3: " + text_;
    return verdict;
  }

  Verdict verdict_of(unsigned trial) {
    if (trial % 11 == 3)
      return failed(Stage::compile, DiagnosticCode::compile_failed, "it does not compile: 'sum' was not declared");
    if (trial % 11 == 7) return failed(Stage::verify, DiagnosticCode::result_wrong, "wrong at y[3]");
    if (trial % 11 == 9)
      return failed(Stage::gate, DiagnosticCode::candidate_reach,
                    "it calls a function that the original does not reach");
    return timed(ratio_of(trial), 20);
  }

  double ratio_of(unsigned trial) const {
    return faster_ ? 1 + 1.6 * trial / project_.trials * (trial % 2 ? 1 : 0.8) : 0.8 + 0.2 * trial / project_.trials;
  }

  tune::JournaledOrigin origin_of(unsigned trial) const {
    const char* const operators[] = {"init", "mutation", "crossover", "tune-constants"};
    std::vector<unsigned> parents;
    if (trial > 1) parents = {trial / 2};
    if (trial % 6 == 5) parents.push_back(trial / 4 + 1);
    return {operators[trial % 4], parents, code(trial)};
  }

  std::string name_of(unsigned trial) const { return fmt::format("unroll({}) {}", trial, text_); }

  Result<void> write_journal() {
    const fs::path file = project_.folder / "build" / "hone" / "runs" / (kernel_.spec.key + "-1.jsonl");
    HONE_TRY(auto journal, tune::Journal::open(file, {kernel_.spec.key, 1, "builtin", "g++ 12.2.0"},
                                               tune::Journal::Start::anew, {}, [](const std::string&) {}));
    for (unsigned trial = 1; trial <= project_.trials; ++trial)
      HONE_CHECK(journal.append(cache::sha256(code(trial)), name_of(trial), cache::sha256(code(trial)), "object",
                                verdict_of(trial), origin_of(trial)));
    return journal.finish();
  }

  Result<void> write_recording() const {
    tune::RecordingHeader header;
    header.kernel = kernel_.spec.name;
    header.key = kernel_.spec.key;
    header.strategy = "{}";
    for (const auto& [label, seconds] : kProblems)
      header.facts.problems.push_back({.label = label, .seconds = seconds, .floor_seconds = seconds / 4});
    HONE_TRY(auto recorder,
             tune::Recorder::create(tune::recording_file(project_.folder / "build", kernel_.spec.key, 1), header));
    for (unsigned call = 1; call <= number_of_calls_; ++call)
      HONE_CHECK(recorder.append(tune::Replied{call, "text", "model", 2.5, {1000, 500, 0.25}}));
    return {};
  }

  // Of the last trial, and itself.
  std::set<unsigned> ancestors() const {
    std::set<unsigned> found{project_.trials}, open = found;
    while (!open.empty()) {
      const unsigned at = open.extract(open.begin()).value();
      for (const unsigned parent : origin_of(at).parents)
        if (found.insert(parent).second) open.insert(parent);
    }
    return found;
  }

  lock::Record record() {
    lock::Record record;
    record.key = kernel_.spec.key;
    record.kernel = kernel_.spec.name;
    record.signature = kernel_.spec.signature;
    record.target = kernel_.spec.target;
    record.proposer = number_of_calls_ ? "openai" : "builtin";
    record.model = number_of_calls_ ? "a-model" : "";
    record.strategy = "auto";
    record.compiler = "g++ 12.2.0";
    record.device = "AMD EPYC 9V74";
    record.executor = "local";
    record.trials = {project_.trials, project_.trials, project_.trials, project_.trials / 2};
    record.seconds = 41.5;
    record.evidence = "cpu: g++ 12.2.0";
    if (!faster_) return record;
    record.name = name_of(project_.trials);
    record.thought = "the loop is unrolled " + text_;
    record.variant = cache::sha256(cache::bound_blob(code(project_.trials), kernel_.spec.key));
    record.final = timed(ratio_of(project_.trials), project_.pairs);
    record.search = record.final;
    record.speedup = record.final->measurement.speedup;
    for (const unsigned trial : ancestors())
      record.lineage.push_back({trial,
                                origin_of(trial).operator_name,
                                name_of(trial),
                                origin_of(trial).parents,
                                {ratio_of(trial), ratio_of(trial) * 0.98, ratio_of(trial) * 1.02},
                                cache::sha256(code(trial))});
    return record;
  }

  const SearchedProject& project_;
  const project::ProjectKernel& kernel_;
  std::mt19937 random_;
  const bool faster_;
  const std::string text_;
  unsigned number_of_calls_ = 0;
};

}  // namespace

Result<void> write(const SearchedProject& project) {
  const std::string build = (project.folder / "build").string();
  HONE_CHECK(os::write_file_atomically(project.folder / "kernels.cpp", source_of(project.kernels)));
  HONE_CHECK(os::write_file_atomically(project.folder / "hone.lock", "{ \"version\": 1, \"kernels\": [] }\n"));
  HONE_CHECK(os::write_file_atomically(
      project.folder / "build" / "compile_commands.json",
      fmt::format("[{{\"directory\": \"{}\", \"command\": \"g++ -O2 -o kernels.o -c ../kernels.cpp\", "
                  "\"file\": \"../kernels.cpp\"}}]",
                  build)));
  HONE_TRY(const auto opened, project::open_project(project.folder / "build"));
  const project::ProjectKernels found = project::find_kernels(opened, {});
  if (found.kernels.size() != project.kernels) return failure("not every kernel was found");
  for (unsigned i = 0; i < project.kernels; ++i) {
    Search search(project, found.kernels[i], i);
    if (project.spending && i + 2 >= project.kernels) search.ask_model(4);
    HONE_CHECK(search.write());
  }
  return {};
}

}  // namespace hone::tests
