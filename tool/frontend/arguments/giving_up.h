// Branches in which a function gives up: { complain(); return false; }, and return complain(). Pure.
#pragma once

#include <clang/AST/Stmt.h>

namespace hone::frontend {

inline bool gives_up(const clang::Stmt& branch) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&branch);
  return llvm::isa<clang::ReturnStmt>(branch) ||
         (block && !block->body_empty() && llvm::isa<clang::ReturnStmt>(block->body_back()));
}

}  // namespace hone::frontend
