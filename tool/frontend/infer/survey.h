// The functions that a translation unit defines in the user's files, with their loops and the annotation that each
// suggests: what a profile is laid over.
//
// One parse, on the calling thread. Nothing is changed.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tool/base/result.h"
#include "tool/command/compile_command.h"
#include "tool/frontend/infer/inference.h"
#include "tool/frontend/parse/clang_options.h"

namespace hone::frontend {

struct SurveyedFunction {
  std::string name;     // qualified
  std::string mangled;  // "" of a template
  std::string file;     // absolute
  unsigned first_line = 0, last_line = 0;
  std::size_t offset = 0;                            // in its file: where an annotation goes in front of it
  std::vector<std::pair<unsigned, unsigned>> loops;  // first and last line of each
  bool is_main = false;
  bool shares_macro = false;  // with another function that the same use of a macro makes
  Inferred inferred;
};

// `wanted`: of which files, by their absolute path.
Result<std::vector<SurveyedFunction>> survey(const CompileCommand& command, const Options& options,
                                             const std::function<bool(const std::string& file)>& wanted);

}  // namespace hone::frontend
