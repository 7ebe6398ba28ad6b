#include "tool/frontend/describe/loop_bounds.h"

#include <clang/AST/Decl.h>

#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

class LoopBounds final : public SyntaxVisitor {
 public:
  std::set<const clang::ParmVarDecl*> found;
  bool VisitForStmt(clang::ForStmt* loop) { return look(loop->getCond()); }
  bool VisitWhileStmt(clang::WhileStmt* loop) { return look(loop->getCond()); }
  bool VisitDoStmt(clang::DoStmt* loop) { return look(loop->getCond()); }

 private:
  bool look(const clang::Stmt* statement) {
    if (!statement) return true;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(statement))
      if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(use->getDecl()))
        if (parameter->getType()->isIntegerType() && !parameter->getType()->isBooleanType()) found.insert(parameter);
    for (const clang::Stmt* child : statement->children()) look(child);
    return true;
  }
};

}  // namespace

std::set<const clang::ParmVarDecl*> loop_bounds(const clang::FunctionDecl& function) {
  LoopBounds bounds;
  bounds.TraverseStmt(function.getBody());
  return std::move(bounds.found);
}

}  // namespace hone::frontend
