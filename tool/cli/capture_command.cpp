#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tool/capture/captures.h"
#include "tool/cli/command/command.h"
#include "tool/diagnostics/diagnostic_code.h"
#include "tool/os/files/files.h"
#include "tool/os/process/foreground.h"
#include "tool/report/text.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;
using capture::CapturedCall;
using capture::CapturedKernel;
using capture::CapturedProblem;

constexpr std::size_t kMostProblemsShown = 5;

struct CaptureArguments {
  ProjectOptions project;
  std::vector<std::string> program;
  std::size_t problems = capture::CaptureLimits().problems, inputs = capture::CaptureLimits().inputs;
  std::uint64_t megabytes = capture::CaptureLimits().bytes >> 20;
  bool fresh = false, json = false;

  capture::CaptureLimits limits() const { return {problems, inputs, megabytes << 20}; }
};

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? text.get() : name;
}

void describe(CLI::App& app, CaptureArguments& arguments) {
  arguments.project.add_build_to(app);
  app.add_option("--problems", arguments.problems, "Sizes to keep of a kernel, those that take most of the time")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--inputs", arguments.inputs, "Inputs to keep of a size")
      ->check(CLI::Range(0, 8))
      ->capture_default_str();
  app.add_option("--megabytes", arguments.megabytes, "How large a kernel's inputs may be, before they are compressed")
      ->check(CLI::Range(0, 65536))
      ->capture_default_str();
  app.add_flag("--fresh", arguments.fresh, "Forget what earlier runs left of these kernels");
  app.add_flag("--json", arguments.json, "Print JSON");
  app.add_option("PROGRAM", arguments.program, "Behind --: the program to run, and its arguments")->required();
  app.footer(
      "The program is one that the project in -p builds with HONE_MODE=capture. What is captured lies in\n"
      "hone/captures beside the lock file; git ignores it there until you remove its .gitignore.\n"
      "Exit codes: 0 something was captured; 1 nothing was; 2 usage; 3 the environment failed.");
}

// Of all its processes. nullopt: none of them has a recorder.
std::optional<std::vector<CapturedCall>> read_recordings(const fs::path& folder) {
  std::optional<std::vector<CapturedCall>> all;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) {
    if (!all) all.emplace();
    const auto bytes = os::read_file(file.path(), std::size_t{4} << 30);
    if (!bytes) continue;
    std::ranges::move(capture::read_recording(*bytes), std::back_inserter(*all));
  }
  return all;
}

// Each kernel's captures lie beside the lock file of the target that has it.
std::map<fs::path, std::vector<CapturedCall>> by_folder(const project::Project& project,
                                                        std::vector<CapturedCall> calls) {
  const auto always = [](const project::ProjectUnit&, const KernelSpec&) { return true; };
  std::map<std::string, std::vector<fs::path>> folders;
  for (const project::ProjectKernel& kernel : project::find_kernels(project, {}, always).kernels) {
    auto& known = folders[kernel.spec.mangled_name];
    const fs::path folder = capture::folder_beside(kernel.unit.settings.lock);
    if (std::ranges::count(known, folder) == 0) known.push_back(folder);
  }
  std::map<fs::path, std::vector<CapturedCall>> sorted;
  for (CapturedCall& call : calls)
    for (const fs::path& folder : folders[call.kernel]) sorted[folder].push_back(call);
  return sorted;
}

void forget(const fs::path& folder, const std::vector<CapturedCall>& calls) {
  for (const CapturedCall& call : calls) capture::remove_captures(folder, call.kernel);
}

std::string counted(std::uint64_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::size_t inputs_of(const CapturedKernel& kernel) {
  std::size_t inputs = 0;
  for (const CapturedProblem& problem : kernel.problems) inputs += problem.inputs.size();
  return inputs;
}

void print(const fs::path& folder, const std::vector<CapturedKernel>& kernels) {
  for (const CapturedKernel& kernel : kernels) {
    say("{}: {}, {}, {}\n", demangled(kernel.name), counted(kernel.calls(), "call"),
        counted(kernel.problems.size(), "size"), counted(inputs_of(kernel), "input"));
    for (std::size_t i = 0; i < std::min(kernel.problems.size(), kMostProblemsShown); ++i) {
      const CapturedProblem& problem = kernel.problems[i];
      say("  {:>5.1f}%  {} ({}, {})\n", 100 * capture::share_of(kernel, problem), capture::label_of(problem),
          counted(problem.calls, "call"), counted(problem.inputs.size(), "input"));
    }
    if (kernel.problems.size() > kMostProblemsShown)
      say("          and {} more\n", kernel.problems.size() - kMostProblemsShown);
    if (kernel.other_calls > 0)
      say("          {} calls of other sizes, which are not told apart\n", kernel.other_calls);
    if (inputs_of(kernel) == 0) say("          no inputs: an extent is too large, or --megabytes too small\n");
  }
  say("in {}\n", folder.string());
}

nlohmann::json in_json(const CapturedKernel& kernel) {
  nlohmann::json problems = nlohmann::json::array();
  for (const CapturedProblem& problem : kernel.problems)
    problems.push_back({{"problem", capture::label_of(problem)},
                        {"calls", problem.calls},
                        {"share", capture::share_of(kernel, problem)},
                        {"inputs", problem.inputs.size()}});
  return {{"name", demangled(kernel.name)}, {"calls", kernel.calls()}, {"problems", std::move(problems)}};
}

void say_end(const os::ProgramEnd& end) {
  if (end.signal)
    fmt::print(stderr, "hone: the program was ended by {}; what it did until then counts\n", strsignal(end.signal));
  else if (end.code)
    fmt::print(stderr, "hone: the program ended with {}; what it did counts all the same\n", end.code);
}

int nothing_recorded(std::string why) {
  return complain(with_code(std::move(why), DiagnosticCode::nothing_recorded), no);
}

}  // namespace

int capture_command(int argc, char** argv) {
  CLI::App app{"Runs a program, and keeps real inputs of its annotated functions to tune on.", "hone capture"};
  CaptureArguments arguments;
  describe(app, arguments);
  if (const auto exit = parse(app, argc, argv)) return *exit;

  const auto project = project::open_project(arguments.project.folder());
  if (!project) return complain(project.error(), environment);
  const auto folder = os::TemporaryFolder::create("hone-capture");
  if (!folder) return complain(folder.error(), environment);
  const auto end = os::run_in_foreground(
      arguments.program,
      {{"HONE_CAPTURE", folder->path().string()}, {"HONE_CAPTURE_BYTES", std::to_string(arguments.limits().bytes)}});
  if (!end) return complain(end.error(), environment);
  say_end(*end);

  auto calls = read_recordings(folder->path());
  if (!calls)
    return nothing_recorded("'" + arguments.program[0] +
                            "' records nothing: it was not built for that, or has no annotated function; configure "
                            "with -DHONE_MODE=capture, build, and run what that build makes");
  if (calls->empty())
    return nothing_recorded("'" + arguments.program[0] +
                            "' called no annotated function; give it arguments with which it does");
  nlohmann::json all = nlohmann::json::array();
  const auto sorted = by_folder(*project, std::move(*calls));
  if (sorted.empty())
    return nothing_recorded("the functions that were called are not those of the project in " +
                            arguments.project.folder().string() + "; name its build folder with -p");
  for (const auto& [to, of_folder] : sorted) {
    if (arguments.fresh) forget(to, of_folder);
    const auto kernels = capture::add_captures(to, of_folder, arguments.limits());
    if (!kernels) return complain(kernels.error(), environment);
    if (!arguments.json) print(to, *kernels);
    for (const CapturedKernel& kernel : *kernels) all.push_back(in_json(kernel));
  }
  if (arguments.json) say("{}\n", nlohmann::json{{"kernels", std::move(all)}}.dump(2));
  return done;
}

}  // namespace hone::cli
