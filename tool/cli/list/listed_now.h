// What is linked for a kernel now: the object that the build made is asked (linked/note_reader.h).
//
// An object that was not made yet, was made without Hone or by an earlier one, or holds bytecode alone, says nothing:
// that is an answer, too. Each object is read once. One thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/linked/note_reader.h"
#include "tool/project/kernels.h"
#include "tool/report/json.h"

namespace hone::cli {

class BuiltObjects {
 public:
  // `listed` has what the next build links; it gets what this one did, and whether that is the same. Of the project's
  // other objects it gets what those say of the kernel in its present state: a kernel of a header is in many.
  void add_now(const project::ProjectKernel& kernel, const project::Project& project, report::ListedKernel& listed);

 private:
  void add_others(const project::ProjectKernel& kernel, const project::Project& project, report::ListedKernel& listed);
  const Result<std::vector<linked::LinkedUnit>>& at(const std::string& path);

  std::map<std::string, Result<std::vector<linked::LinkedUnit>>> objects_;
};

}  // namespace hone::cli
