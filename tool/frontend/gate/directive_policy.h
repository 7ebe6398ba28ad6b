// What a candidate may tell the preprocessor: includes from a list, pragmas that stay within it, macros of its own that
// it takes back, conditions that every compiler answers alike.
//
// Hone reads both sides of each #if: the project's compiler may take the one that Clang leaves out. What is pushed must
// be popped under the same condition. Code may stand under conditions that all compilers answer alike. Which macros the
// user's file has is the question of whole_file_check.h. Pure.
#pragma once

#include <clang/Basic/LangOptions.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tool/frontend/gate/candidate_text.h"
#include "tool/frontend/gate/pragma_policy.h"

namespace hone::frontend {

struct DirectiveFindings {
  std::optional<Objection> objection;
  std::set<std::string> macros;      // that the candidate defines: none of them may have had a meaning before
  std::vector<TargetRange> targets;  // where pragmas ask for features of the processor
};

// `original`: the text of its definition.
DirectiveFindings look_at_directives(const SplitSource& candidate, const clang::LangOptions& language, unsigned threads,
                                     const std::string& original);

}  // namespace hone::frontend
