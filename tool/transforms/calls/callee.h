// A function whose body may stand where it is called.
//
// Contract: nothing for what means something else elsewhere or cannot be written there: recursion, variadic functions,
// jumps, assembly, state of its own, macros that have changed, virtual calls, functions of the system, long ones.
// Never changes anything. Borrows the AST.
#pragma once

#include <optional>
#include <vector>

#include "tool/transforms/code/edits.h"

namespace hone::frontend {

struct Callee {
  const clang::FunctionDecl* function = nullptr;  // the definition
  const clang::CompoundStmt* body = nullptr;
  clang::FileID file;
  TextRange inside;                    // between the body's braces, in that file
  std::vector<TextRange> left_out;     // of it: directives, and what the preprocessor does not take (taken_text.h)
  const clang::Expr* value = nullptr;  // where the body is `return value;` and evaluating it changes nothing
};

// What is given for the parameters: without the object of an operator that is a member.
llvm::ArrayRef<const clang::Expr*> arguments_of(const clang::CallExpr* call);

std::optional<Callee> callee_of(const KernelContext& context, const clang::CallExpr* call);

}  // namespace hone::frontend
