#include "tool/cli/command/command.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/base/printable.h"
#include "tool/cli/command/command_description.h"
#include "tool/diagnostics/diagnostic_code.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/os/files/files.h"

namespace hone::cli {
namespace fs = std::filesystem;

namespace {

// CLI11 only says that a subcommand is required. "" if the first word is one, or none is wanted.
std::string wrong_subcommand(const CLI::App& app, int argc, char** argv) {
  const auto known = app.get_subcommands([](const CLI::App*) { return true; });
  if (app.get_require_subcommand_min() == 0 || argc < 2 || argv[1][0] == '-') return "";
  std::vector<std::string> names;
  for (const CLI::App* subcommand : known) names.push_back(subcommand->get_name());
  if (std::ranges::find(names, argv[1]) != names.end()) return "";
  return fmt::format("{} has no '{}'; choose one of {}", app.get_name(), argv[1], fmt::join(names, ", "));
}

}  // namespace

std::optional<int> parse(CLI::App& app, int argc, char** argv) {
  if (argc == 2 && argv[1] == std::string_view(kDescribe)) throw Described{description_of(app)};
  if (const std::string wrong = wrong_subcommand(app, argc, argv); !wrong.empty()) return complain(wrong, usage);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : usage;
  }
  return std::nullopt;
}

int complain(const Error& error, Exit code) {
  return complain(error.message(), code);
}

int complain(const std::string& message, Exit code) {
  fmt::print(stderr, "hone: {}\n", printable(message));  // it may quote a lock file, a record or a candidate
  return code;
}

void ProjectOptions::add_build_to(CLI::App& app) {
  app.add_option("-p", build, "Build folder, with compile_commands.json (default: build, else .)")
      ->type_name("BUILD_DIR");
}

void ProjectOptions::add_to(CLI::App& app) {
  add_build_to(app);
  app.add_option("--target", target, "Only the sources of this CMake target")->type_name("TARGET");
  app.add_option("--config", config, "Only this configuration of a multi-config build: Debug, Release, …")
      ->type_name("CONFIG");
}

void add_model_options(CLI::App& app, project::TuneOptions& options) {
  app.add_option("--proposer", options.proposer,
                 "Who writes candidates: builtin (offline), openai, anthropic, command:ARGV, ensemble, or\n"
                 "replay:FILE, a recording judged again (default: the target's, HONE_PROPOSER, hone.json)");
  app.add_option("--model", options.model.model, "Which model of openai or anthropic (default: HONE_MODEL, hone.json)");
  app.add_option("--endpoint", options.model.endpoint, "Base URL (default: HONE_ENDPOINT, hone.json, the provider's)");
  app.add_option("--temperature", options.model.temperature, "The model's; the higher, the more its replies differ")
      ->check(CLI::Range(0.0, 2.0));
  app.add_flag("--trust-project", options.model.trust_project,
               "Allow from now on what the project's own files name: endpoints, keys' variables and commands");
}

fs::path ProjectOptions::folder() const {
  if (!build.empty()) return build;
  std::error_code error;
  return fs::exists("build/compile_commands.json", error) ? "build" : ".";
}

namespace {

// Keeps only the units of one target; says so where there is no such target.
bool keep_target(project::Project& project, const std::string& target) {
  std::set<std::string> known;
  for (const project::ProjectUnit& unit : project.units)
    if (!unit.settings.target.empty()) known.insert(unit.settings.target);
  if (!known.count(target)) {
    complain(fmt::format("no annotated source belongs to a target '{}'; {}", target,
                         known.empty() ? "no target called hone_target()"
                                       : fmt::format("choose one of {}", fmt::join(known, ", "))),
             usage);
    return false;
  }
  std::erase_if(project.units, [&](const project::ProjectUnit& unit) { return unit.settings.target != target; });
  return true;
}

// CMake puts the objects of several configurations into folders of their names: CMakeFiles/app.dir/Release/a.cpp.o
bool keep_config(project::Project& project, const std::string& config) {
  std::erase_if(project.units, [&](const project::ProjectUnit& unit) {
    return unit.command.output.find(".dir/" + config + '/') == std::string::npos;
  });
  if (project.units.empty())
    complain(fmt::format("no annotated source is compiled for a configuration '{}'; leave --config out, or name one of "
                         "CMAKE_CONFIGURATION_TYPES",
                         config),
             usage);
  return !project.units.empty();
}

void tell(const frontend::Diagnostic& diagnostic) {
  fmt::print(stderr, "{}\n", diagnostic.rendered);
}

// Where the kernels stand that are named, whether they can be tuned or not; none: a name says too little.
std::set<std::string> files_of(const project::ProjectKernels& found, const std::vector<std::string>& names) {
  std::set<std::string> known, files;
  for (const project::ProjectKernel& kernel : found.kernels) known.insert(kernel.spec.name);
  for (const frontend::Diagnostic& diagnostic : found.diagnostics)
    if (!diagnostic.kernel.empty()) known.insert(diagnostic.kernel);
  const auto wanted = project::select_names(known, names);
  if (!wanted) return files;
  for (const project::ProjectKernel& kernel : found.kernels)
    if (wanted->contains(kernel.spec.name)) files.insert(kernel.spec.file);
  for (const frontend::Diagnostic& diagnostic : found.diagnostics)
    if (wanted->contains(diagnostic.kernel)) files.insert(diagnostic.file);
  return files;
}

// Whoever names kernels wants to know of others' mistakes that there are some, and no more.
void tell_of(const std::set<std::string>& files, const std::vector<frontend::Diagnostic>& all) {
  std::set<std::string> others;
  std::size_t errors = 0, warnings = 0;
  for (const frontend::Diagnostic& diagnostic : all) {
    if (files.contains(diagnostic.file)) {
      tell(diagnostic);
      continue;
    }
    ++(diagnostic.warning ? warnings : errors);
    others.insert(fs::path(diagnostic.file).filename().string());
  }
  if (errors + warnings == 0) return;
  const auto counted = [](std::size_t count, const char* what) {
    return count == 0 ? "" : fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  complain(fmt::format("{}{}{} in annotations of other files ({}{}); hone list shows {}", counted(errors, "error"),
                       errors > 0 && warnings > 0 ? " and " : "", counted(warnings, "warning"), *others.begin(),
                       others.size() > 1 ? fmt::format(" and {} more", others.size() - 1) : "",
                       errors + warnings == 1 ? "it" : "them"),
           no);
}

}  // namespace

std::optional<Selection> select(const ProjectOptions& options, const std::vector<std::string>& names, int& code,
                                const project::Enough& enough, Elsewhere elsewhere) {
  auto project = project::open_project(options.folder());
  if (!project) {
    code = complain(project.error(), environment);
    return std::nullopt;
  }
  if (!options.target.empty() && !keep_target(*project, options.target)) {
    code = usage;
    return std::nullopt;
  }
  if (!options.config.empty() && !keep_config(*project, options.config)) {
    code = usage;
    return std::nullopt;
  }
  project::ProjectKernels found = project::find_kernels(*project, {}, enough);
  std::set<std::string> near;
  if (!names.empty() && elsewhere == Elsewhere::counted) near = files_of(found, names);
  if (near.empty())
    std::ranges::for_each(found.diagnostics, tell);
  else
    tell_of(near, found.diagnostics);
  for (const Error& error : found.errors) complain(error, environment);
  const bool flawed = !found.diagnostics.empty() || !found.errors.empty();
  if (found.kernels.empty()) {
    code = flawed ? no
                  : complain(
                        with_code("no annotated kernel was found; put #pragma hone kernel above a function of a target "
                                  "that calls hone_target(), and build it once",
                                  DiagnosticCode::no_kernels),
                        no);
    if (!found.errors.empty() && found.diagnostics.empty()) code = environment;
    return std::nullopt;
  }
  auto selected = project::select_kernels(found.kernels, names);
  if (!selected) {
    Error error = selected.error();
    if (!found.diagnostics.empty()) error.advice += "; what is annotated and refused is named above";
    error.advice = with_code(std::move(error.advice), DiagnosticCode::unknown_kernel);
    code = complain(error, usage);
    return std::nullopt;
  }
  std::vector<project::ProjectKernel*> partial;
  for (project::ProjectKernel& kernel : *selected)
    if (!enough(kernel.unit, kernel.spec)) partial.push_back(&kernel);
  if (const auto made = project::make_whole(std::move(partial), {}); !made) {
    code = complain(made.error(), environment);
    return std::nullopt;
  }
  return Selection{std::move(*project), std::move(*selected), flawed};
}

namespace {

Result<void> write_to_stdout(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return {};
  return failure(std::string("cannot write: ") + std::strerror(errno), "stdout");
}

// A link stays one, and what is no file is written into: whoever names /dev/stdout wants no file of that name.
Result<void> write_named(const std::string& file, const std::string& text) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) return os::write_stream(file, text);
  const fs::path path = fs::exists(status) ? fs::canonical(file, error) : fs::path(file);
  return os::write_file_atomically(error ? fs::path(file) : path, text);
}

}  // namespace

bool write_answer(const std::string& file, const std::string& text) {
  const auto written = file == "-" ? write_to_stdout(text) : write_named(file, text);
  if (!written) complain(written.error(), environment);
  return written.has_value();
}

bool is_agreed(const std::string& question, const std::string& nobody) {
  if (!isatty(STDIN_FILENO)) {
    complain(with_code("nothing was written: " + nobody + "; --yes answers for you", DiagnosticCode::not_answered), no);
    return false;
  }
  fmt::print(stderr, "{} [y/N] ", question);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace hone::cli
