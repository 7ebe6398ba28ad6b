#include "tool/cli/report_sources.h"

#include <algorithm>

#include <fmt/format.h>

#include "tool/cli/list/listed_kernels.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;

void add_lock(std::vector<fs::path>& locks, const fs::path& lock) {
  if (std::ranges::find(locks, lock) == locks.end()) locks.push_back(lock);
}

// Without a build, the lock file is the one above the working directory.
void without_build(ReportSources& found, const std::string& why) {
  std::error_code error;
  add_lock(found.sources.locks, project::nearest_lock(fs::current_path(error)));
  found.missing.push_back("the build's kernels and their code: " + why);
}

// What a build left of its sources says who its kernels are, and has no code.
void add_code(ReportSources& found, std::vector<project::ProjectKernel>& kernels) {
  std::vector<project::ProjectKernel*> partial;
  for (project::ProjectKernel& kernel : kernels)
    if (!kernel.whole) partial.push_back(&kernel);
  if (const auto made = project::make_whole(std::move(partial), {}); !made) {
    complain(made.error(), environment);
    found.missing.push_back("the original's code of some kernels: " + made.error().what);
  }
}

void add_kernels(ReportSources& found, const project::Project& project) {
  project::ProjectKernels kernels = project::find_kernels(project, {});
  for (const frontend::Diagnostic& diagnostic : kernels.diagnostics) fmt::print(stderr, "{}\n", diagnostic.rendered);
  for (const Error& error : kernels.errors) {
    complain(error, environment);
    found.missing.push_back("the kernels of a source that Clang cannot parse: " + error.where);
  }
  if (!kernels.diagnostics.empty()) found.missing.push_back("kernels whose annotation is wrong; hone list names them");
  found.flawed = !kernels.diagnostics.empty() || !kernels.errors.empty();
  add_code(found, kernels.kernels);
  LockFiles locks;
  for (project::ProjectKernel& kernel : kernels.kernels) {
    Result<void> trouble;
    report::ListedKernel entry = listed(kernel, false, locks, trouble);
    found.sources.subjects.push_back({std::move(kernel), std::move(entry)});
  }
}

}  // namespace

ReportSources report_sources(const ProjectOptions& options) {
  ReportSources found;
  found.sources.version = HONE_VERSION;
  const auto project = project::open_project(options.folder());
  if (!project) {
    without_build(found, project.error().what);
    return found;
  }
  found.sources.build = project->build;
  add_kernels(found, *project);
  for (const project::ProjectUnit& unit : project->units) add_lock(found.sources.locks, unit.settings.lock);
  if (found.sources.locks.empty()) without_build(found, "no source of the build has an annotation");
  return found;
}

}  // namespace hone::cli
