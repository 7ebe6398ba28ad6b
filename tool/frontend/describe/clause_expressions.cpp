#include "tool/frontend/describe/clause_expressions.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace hone::frontend {

using namespace clang;

std::vector<const Expr*> clause_expressions(const FunctionDecl& clauses) {
  std::vector<const Expr*> expressions;
  for (const Stmt* statement : clauses.getBody()->children()) {
    const auto* value = llvm::dyn_cast<Expr>(statement);
    const auto* call = value ? llvm::dyn_cast<CallExpr>(value->IgnoreImplicit()) : nullptr;
    if (call && call->getNumArgs() == 3) expressions.push_back(call->getArg(2));
  }
  return expressions;
}

}  // namespace hone::frontend
