// What names stand for where a loop begins.
//
// Contract: only where nothing between the name's declaration and the loop changes it, or what it was made of. Borrows
// the AST.
#pragma once

#include <map>
#include <vector>

#include "tool/transforms/calls/stable_value.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

class KnownValues {
 public:
  KnownValues(const KernelContext& context, const Loop& loop);

  // The initializer that still is its value; null: not known.
  const clang::Expr* of(const clang::VarDecl* variable) const;

 private:
  bool is_set_in_loop_alone(const clang::VarDecl* variable) const;
  bool is_of_same_iteration(const clang::VarDecl* variable) const;
  bool is_made_of_names(const clang::Expr* value) const;
  bool still_holds(const clang::Expr* value, bool same_iteration) const;

  const clang::ASTContext& ast_;
  const Loop& loop_;
  StableValues stable_;
  std::map<const clang::VarDecl*, std::vector<const clang::Stmt*>> writes_;  // of the whole function
  std::map<llvm::StringRef, unsigned> declared_;                             // how many variables have a name
};

}  // namespace hone::frontend
