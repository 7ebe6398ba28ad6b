#include <future>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "tool/cli/command/command.h"
#include "tool/cli/command/interrupt.h"
#include "tool/command/words.h"
#include "tool/executor/make_executor.h"
#include "tool/lock/file_fit.h"
#include "tool/lock/judged_on.h"
#include "tool/os/files/files.h"
#include "tool/project/kernels.h"
#include "tool/report/json.h"
#include "tool/report/text.h"
#include "tool/tune/trial/evaluator.h"

namespace hone::cli {
namespace {

Result<std::string> read_candidate(const std::string& file) {
  if (file != "-") return os::read_stream(file);
  return std::string(std::istreambuf_iterator<char>(std::cin), {});
}

void print(const KernelSpec& spec, const Verdict& verdict) {
  fmt::print("{}: {}\n", spec.name, report::describe(verdict));
  if (!verdict.detail.empty()) fmt::print("{}\n", verdict.detail);
  for (const ProblemMeasurement& problem : verdict.measurement.problems)
    fmt::print("  {}: {}\n", problem.label, report::interval(problem.speedup));
  if (verdict.right) fmt::print("  {}\n", report::tolerance_used(verdict));
  for (const TriedLine& line : lines_of(verdict.tried)) fmt::print("  {}: {}\n", line.label, line.text);
  if (verdict.measurement.noisy) fmt::print("  the machine was busy while this was measured\n");
}

// The unit's own command under another compiler: its flags follow the project's, so that they win.
Result<CompileCommand> command_under(const CompileCommand& command, const std::string& compiler) {
  HONE_TRY(const std::vector<std::string> words, split_words(compiler));
  if (words.empty()) return failure("--with names no compiler", {}, "write it as --with \"clang++-19 -O3\"");
  CompileCommand other = command;
  other.arguments.front() = words.front();
  other.arguments.insert(other.arguments.end(), words.begin() + 1, words.end());
  return other;
}

Result<Verdict> judge(const project::ProjectKernel& kernel, const std::string& source, const std::string& executor,
                      const std::string& compiler, std::stop_token stop) {
  os::PosixProcessRunner runner;
  HONE_TRY(const auto where, executor::make_executor(executor, runner));
  // The text in its file, while the original is compiled and judged.
  auto in_file =
      std::async(std::launch::async, [&] { return lock::refused_in_file(kernel.unit, kernel.spec, source, {}); });
  HONE_TRY(const auto judge, tune::Evaluator::open(kernel.spec, project::linked(kernel.unit),
                                                   project::options_for(kernel.unit, {}), runner, *where, stop));
  HONE_TRY(const Verdict reference, judge->reference(stop));
  if (!reference.right)
    return failure("the original is not fit to be a reference: " + reference.reason,
                   fmt::format("{}:{}", kernel.spec.file, kernel.spec.line), reference.detail);
  judge->compile_candidates_for(lock::device_architecture(kernel.spec, executor == "local", reference));
  if (!compiler.empty()) {
    HONE_TRY(const CompileCommand other, command_under(kernel.unit.command, compiler));
    HONE_CHECK(judge->compile_candidates_with(other));
  }
  if (const auto refused = judge->gate(source)) return *refused;
  if (const auto refused = in_file.get()) return *refused;
  return judge->judge(source, stop);
}

}  // namespace

int eval_command(int argc, char** argv) {
  CLI::App app{"Judges one candidate for a kernel: gate, compile, verify, time. Changes nothing.", "hone eval"};
  ProjectOptions project;
  std::string kernel, file, executor = "local", compiler;
  bool json = false, original = false;
  project.add_to(app);
  app.add_option("--kernel", kernel, "The kernel that the candidate would replace")->required()->type_name("K");
  app.add_option("FILE", file, "The candidate: includes, helpers, the complete definition (-: stdin)");
  app.add_option("--executor", executor, "Where it runs: local, slurm:<partition>, or command:<argv>")
      ->capture_default_str();
  app.add_option("--with", compiler,
                 "Compile the candidate by this compiler and with these flags on top of the project's");
  app.add_flag("--original", original,
               "Judge the original itself instead of a FILE: with --with, what another compiler gives");
  app.add_flag("--json", json, "Print JSON");
  app.footer(
      "Exit codes: 0 the candidate is right (whether it is faster is in the answer); 1 it is not; 2 usage; 3 the\n"
      "environment failed; 130 interrupted.");
  if (const auto exit = parse(app, argc, argv)) return *exit;
  if (file.empty() != original)
    return complain({"hone eval judges a FILE or the --original", {}, "give one of them"}, usage);

  Interrupt interrupt;
  int code = done;
  const auto selection = select(project, {kernel}, code);
  if (!selection) return code;
  const project::ProjectKernel& chosen = selection->kernels.front();
  const auto source = original ? Result<std::string>(chosen.spec.unit.active()) : read_candidate(file);
  if (!source) return complain(source.error(), usage);
  const auto verdict = judge(chosen, *source, executor, compiler, interrupt.token());
  if (interrupt.happened()) return interrupted;
  if (!verdict) return complain(verdict.error(), environment);
  if (json) {
    fmt::print("{}", report::eval_json(chosen.spec.name, *verdict));
  } else {
    print(chosen.spec, *verdict);
  }
  return verdict->right ? done : no;
}

}  // namespace hone::cli
