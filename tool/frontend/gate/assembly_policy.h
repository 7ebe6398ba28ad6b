// An asm statement in a candidate's device code, as Clang's tree has it: macros replaced, strings joined, escapes read.
//
// Its text must be PTX of the lists (ptx_policy.h), its operands must stand in registers. Pure.
#pragma once

#include <clang/AST/Stmt.h>

#include <optional>
#include <string>

namespace clang {
class ASTContext;
}

namespace hone::frontend {

struct AssemblyObjection {
  std::string why;
  clang::SourceLocation place;  // of the word in the text, where it is one
};

std::optional<AssemblyObjection> object_to_device_assembly(const clang::AsmStmt& assembly,
                                                           const clang::ASTContext& context);

// Do its operands bring text of their own (the constraint "C" of nvcc)?
bool takes_text(const clang::AsmStmt& assembly);

}  // namespace hone::frontend
