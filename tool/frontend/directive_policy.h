// What a candidate may tell the preprocessor: includes from a list, pragmas that stay within it, macros of its own that
// it takes back, conditions that every compiler answers alike.
//
// Both sides of each #if are looked at: the project's compiler may take the one that Clang leaves out. Pure.
#pragma once

#include <clang/Basic/LangOptions.h>

#include <optional>
#include <set>
#include <string>

#include "tool/frontend/candidate_text.h"

namespace hone::frontend {

struct DirectiveFindings {
  std::optional<Objection> objection;
  std::set<std::string> macros;  // that the candidate defines: none of them may have had a meaning before
};

DirectiveFindings look_at_directives(const SplitSource& candidate, const clang::LangOptions& language,
                                     unsigned threads);

}  // namespace hone::frontend
