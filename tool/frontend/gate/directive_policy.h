// What a candidate may tell the preprocessor: includes from a list, pragmas that stay within it, macros of its own that
// it takes back, conditions that every compiler answers alike.
//
// Both sides of each #if are looked at: the project's compiler may take the one that Clang leaves out. What is pushed
// must be popped under the same condition. Code may stand under conditions that all compilers answer alike; which
// macros the user's file has is whole_file_check.h's question. Pure.
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

DirectiveFindings look_at_directives(const SplitSource& candidate, const clang::LangOptions& language,
                                     unsigned threads);

}  // namespace hone::frontend
