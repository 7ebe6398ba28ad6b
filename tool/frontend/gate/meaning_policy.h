// What only a candidate's meaning shows: state that lasts, what it takes from the system, what it does to names that
// are not its own.
//
// Looks at the declarations that stand in the candidate's text, and at instances of its templates. Never at what it
// includes. Which variables it may have and what it may name is in state_policy.h and use_policy.h. Pure; a fraction of
// the parse's time.
#pragma once

#include <clang/AST/Decl.h>

#include <optional>

#include "tool/frontend/gate/candidate_text.h"
#include "tool/frontend/gate/original_names.h"
#include "tool/frontend/parse/parse.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

struct Meaning {
  std::optional<Objection> objection;
  std::optional<Objection> namesake;  // a function that shares a name with another: what a wrong signature leads to
  const clang::FunctionDecl* kernel = nullptr;  // the definition, where the candidate has it
};

// `original`: what the original reaches. Null: only the kernel is looked for, as in the original itself.
Meaning look_at_meaning(const Parsed& parsed, const KernelSpec& spec, const OriginalNames* original);

}  // namespace hone::frontend
