#include "tests/mutation/mutator.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>

#include "tests/mutation/operators.h"
#include "tests/mutation/unit_parse.h"

namespace hone::mutation {
namespace {

using namespace clang;

class Visitor : public RecursiveASTVisitor<Visitor> {
 public:
  explicit Visitor(Changes& changes) : changes_(changes) {}

  bool TraverseTypeLoc(TypeLoc) { return true; }  // sizes of arrays: larger ones are as right

  bool TraverseForStmt(ForStmt* node) {
    counting_ = node->getInc();
    return RecursiveASTVisitor::TraverseForStmt(node);
  }

  bool VisitBinaryOperator(BinaryOperator* node) {
    change_operator(*node, changes_);
    change_operands(*node, changes_);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* node) {
    if (node != counting_) change_sign(*node, changes_);
    return true;
  }
  bool VisitParenExpr(ParenExpr* node) { return change_precedence(*node, changes_), true; }
  bool VisitConditionalOperator(ConditionalOperator* node) { return change_choice(*node, changes_), true; }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr* node) { return change_index(*node, changes_), true; }
  bool VisitCallExpr(CallExpr* node) { return change_call(*node, changes_), true; }
  bool VisitDeclRefExpr(DeclRefExpr* node) { return change_name(*node, changes_), true; }
  bool VisitIntegerLiteral(IntegerLiteral* node) { return change_integer(*node, changes_), true; }
  bool VisitCharacterLiteral(CharacterLiteral* node) { return change_character(*node, changes_), true; }
  bool VisitFloatingLiteral(FloatingLiteral* node) { return change_float(*node, changes_), true; }
  bool VisitCXXBoolLiteralExpr(CXXBoolLiteralExpr* node) { return change_truth(*node, changes_), true; }
  bool VisitReturnStmt(ReturnStmt* node) { return change_return(*node, changes_), true; }
  bool VisitVarDecl(VarDecl* node) { return change_variable(*node, changes_), true; }
  bool VisitExplicitCastExpr(ExplicitCastExpr* node) { return change_cast(*node, changes_), true; }

  bool VisitIfStmt(IfStmt* node) {
    change_branch(*node, changes_);
    drop(node->getThen());
    drop(node->getElse());
    return true;
  }
  bool VisitForStmt(ForStmt* node) {
    change_loop(*node, changes_);
    drop(node->getBody());
    return true;
  }
  bool VisitWhileStmt(WhileStmt* node) { return drop(node->getBody()), true; }
  bool VisitCompoundStmt(CompoundStmt* node) {
    change_block(*node, changes_);
    for (const Stmt* statement : node->body()) drop(statement);
    return true;
  }
  bool VisitCaseStmt(CaseStmt* node) { return drop(node->getSubStmt()), true; }

 private:
  void drop(const Stmt* node) {
    if (node) drop_statement(*node, changes_);
  }

  Changes& changes_;
  const Expr* counting_ = nullptr;  // of the loop that was entered last
};

}  // namespace

Result<std::vector<Mutant>> mutants_of(const std::string& candidate, const KernelSpec& spec,
                                       const CompileCommand& command) {
  HONE_TRY(const UnitParse unit, UnitParse::create(candidate, spec, command));
  Changes changes(unit.parsed().context(), unit.parsed().text(), unit.candidate(), unit.includes());
  Visitor visitor(changes);
  for (FunctionDecl* function : unit.functions()) visitor.TraverseDecl(function);
  return changes.take();
}

}  // namespace hone::mutation
