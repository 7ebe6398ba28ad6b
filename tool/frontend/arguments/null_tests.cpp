#include "tool/frontend/arguments/null_tests.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

class NullTests final : public SyntaxVisitor {
 public:
  std::set<const Decl*> found;

  bool VisitCastExpr(CastExpr* cast) override {
    if (cast->getCastKind() == CK_PointerToBoolean) note(*cast->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator* comparison) override {
    if (comparison->isLogicalOp()) return note_condition(comparison->getLHS()), note_condition(comparison->getRHS());
    if (!comparison->isEqualityOp()) return true;
    if (is_null(*comparison->getLHS())) note(*comparison->getRHS());
    if (is_null(*comparison->getRHS())) note(*comparison->getLHS());
    return true;
  }
  // In C the pointer itself is the condition.
  bool VisitIfStmt(IfStmt* statement) override { return note_condition(statement->getCond()); }
  bool VisitWhileStmt(WhileStmt* loop) override { return note_condition(loop->getCond()); }
  bool VisitDoStmt(DoStmt* loop) override { return note_condition(loop->getCond()); }
  bool VisitForStmt(ForStmt* loop) override { return note_condition(loop->getCond()); }
  bool VisitConditionalOperator(ConditionalOperator* choice) override { return note_condition(choice->getCond()); }
  bool VisitUnaryOperator(UnaryOperator* sign) override {
    return sign->getOpcode() == UO_LNot ? note_condition(sign->getSubExpr()) : true;
  }

 private:
  static bool is_null(const Expr& side) {
    const auto* cast = llvm::dyn_cast<CastExpr>(side.IgnoreParens());
    return cast && cast->getCastKind() == CK_NullToPointer;
  }
  bool note_condition(const Expr* condition) {
    if (condition && condition->getType()->isPointerType()) note(*condition);
    return true;
  }
  void note(const Expr& pointer) {
    const Expr* bare = pointer.IgnoreParenImpCasts();
    if (const auto* use = llvm::dyn_cast<DeclRefExpr>(bare)) found.insert(use->getDecl());
    if (const auto* use = llvm::dyn_cast<MemberExpr>(bare)) found.insert(use->getMemberDecl());
  }
};

}  // namespace

std::set<const Decl*> tested_against_null(const FunctionDecl& function) {
  NullTests tests;
  tests.TraverseStmt(function.getBody());
  return std::move(tests.found);
}

}  // namespace hone::frontend
