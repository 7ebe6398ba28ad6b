// The annotated kernels of a project, and which of them a user means by a name.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/project/project.h"

namespace hone::project {

struct ProjectKernel {
  ProjectUnit unit;
  KernelSpec spec;
};

struct ProjectKernels {
  std::vector<ProjectKernel> kernels;             // by file and line; one for each (key, lock file)
  std::vector<frontend::Diagnostic> diagnostics;  // of annotations, each once
  std::vector<Error> errors;                      // units that Clang cannot parse
};

ProjectKernels find_kernels(const Project& project, const frontend::Options& options);

// The known names that `names` mean: the name itself, else the end of exactly one name (behind `::` first). No names:
// all. Error: a name that means none (with the likeliest one) or several.
Result<std::set<std::string>> select_names(const std::set<std::string>& known, const std::vector<std::string>& names);

// The kernels of those names.
Result<std::vector<ProjectKernel>> select_kernels(const std::vector<ProjectKernel>& kernels,
                                                  const std::vector<std::string>& names);

}  // namespace hone::project
