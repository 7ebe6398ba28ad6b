// The annotated kernels of a project, and which of them a user means by a name.
#pragma once

#include <filesystem>
#include <functional>
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
  bool whole = true;  // false: from a stamp (unit_stamp.h), so that the spec is who it is and no more
};

struct ProjectKernels {
  std::vector<ProjectKernel> kernels;             // by file and line; one for each (key, lock file)
  std::vector<frontend::Diagnostic> diagnostics;  // of annotations, each once; their files are absolute
  std::vector<Error> errors;                      // units that Clang cannot parse
};

// With what was captured beside the lock file, for annotations that leave clauses out, and with the build's other
// sources, for kernels that call functions of theirs.
frontend::Options options_for(const ProjectUnit& unit, frontend::Options options);

// Calls task(0) … task(count - 1), as many at once as there are processors.
void on_all_processors(std::size_t count, const std::function<void(std::size_t)>& task);

// Is it enough to know who a kernel is? Then what a compile has left of it suffices, though that did not look at the
// clauses' expressions.
using Enough = std::function<bool(const ProjectUnit&, const KernelSpec&)>;
inline bool never_enough(const ProjectUnit&, const KernelSpec&) {
  return false;
}

// All of them, on all processors. What an earlier look at a unit has left beside its object is believed while nothing
// has changed; what is found is left there.
ProjectKernels find_kernels(const Project& project, const frontend::Options& options,
                            const Enough& enough = never_enough);

// Looks again at the units of those kernels that are not whole, and makes them so. Error: a unit cannot be parsed, or
// its kernel is not there any more.
Result<void> make_whole(std::vector<ProjectKernel*> kernels, const frontend::Options& options);

// The known names that `names` mean: the name itself, else the end of exactly one name (behind `::` first). No names:
// all. Error: a name that means none (with the likeliest one) or several.
Result<std::set<std::string>> select_names(const std::set<std::string>& known, const std::vector<std::string>& names);

// The kernels of those names.
Result<std::vector<ProjectKernel>> select_kernels(const std::vector<ProjectKernel>& kernels,
                                                  const std::vector<std::string>& names);

}  // namespace hone::project
