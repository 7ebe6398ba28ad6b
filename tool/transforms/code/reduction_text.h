// How partial results of a reduction start and how they are put together, as text.
#pragma once

#include <string>
#include <vector>

#include "tool/transforms/code/accesses.h"

namespace hone::frontend {

struct ReducedVariable {
  const clang::VarDecl* variable;
  ReductionKind kind;
};

// The local scalars that `loop` reduces into, where the loop carries nothing else from one iteration to the next
// (memory aside) and is left only at its end; nullopt where it does.
std::optional<std::vector<ReducedVariable>> reduced_variables(const clang::ASTContext& ast, const Loop& loop);

// What a partial result starts with so that folding it in changes nothing. For minimum and maximum that is the running
// value, called `running`.
std::string neutral_value(ReductionKind kind, const std::string& running);

// `into` updated by `value`, without the semicolon.
std::string fold(ReductionKind kind, const std::string& into, const std::string& value);

}  // namespace hone::frontend
