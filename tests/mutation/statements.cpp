#include <clang/AST/StmtCXX.h>

#include "tests/mutation/operators.h"

namespace hone::mutation {
namespace {

using namespace clang;

bool is_barrier(const Stmt& node) {
  const auto* call = llvm::dyn_cast<CallExpr>(&node);
  const FunctionDecl* function = call ? call->getDirectCallee() : nullptr;
  return function && function->getIdentifier() && function->getName().starts_with("__sync");
}

void change_start(const Stmt* init, Changes& changes) {
  const Expr* value = nullptr;
  if (const auto* declaration = llvm::dyn_cast_or_null<DeclStmt>(init)) {
    const auto* variable = llvm::dyn_cast<VarDecl>(*declaration->decl_begin());
    if (variable) value = variable->getInit();
  } else if (const auto* assignment = llvm::dyn_cast_or_null<BinaryOperator>(init);
             assignment && assignment->getOpcode() == BO_Assign) {
    value = assignment->getRHS();
  }
  if (!value || !(value->getType()->isIntegerType() || value->getType()->isPointerType())) return;
  changes.replace("start", value->getSourceRange(), "(" + changes.text(value) + ") + 1");
  changes.replace("start", value->getSourceRange(), "(" + changes.text(value) + ") - 1");
}

void change_step(const Expr* step, Changes& changes) {
  if (const auto* one = llvm::dyn_cast_or_null<UnaryOperator>(step); one && one->isIncrementDecrementOp())
    changes.replace("step", step->getSourceRange(),
                    changes.text(one->getSubExpr()) + (one->isIncrementOp() ? " += 2" : " -= 2"));
  if (const auto* more = llvm::dyn_cast_or_null<CompoundAssignOperator>(step))
    changes.replace("step", more->getRHS()->getSourceRange(), "2 * (" + changes.text(more->getRHS()) + ")");
}

void change_bound(const Expr* condition, Changes& changes) {
  const auto* comparison = llvm::dyn_cast_or_null<BinaryOperator>(condition);
  if (!comparison || !comparison->isComparisonOp()) return;
  const Expr* bound = comparison->getRHS();
  changes.replace("bound", bound->getSourceRange(), "(" + changes.text(bound) + ") + 1");
  changes.replace("bound", bound->getSourceRange(), "(" + changes.text(bound) + ") - 1");
}

}  // namespace

void change_branch(const IfStmt& node, Changes& changes) {
  if (node.isConstexpr() || node.hasVarStorage()) return;
  changes.replace("branch", node.getCond()->getSourceRange(), "true");
  changes.replace("branch", node.getCond()->getSourceRange(), "false");
  if (!node.getElse()) return;
  const auto word = frontend::range_of(changes.ast(), node.getElseLoc());
  const auto rest = changes.range(node.getElse());
  if (word && rest) changes.replace("branch", TextRange{word->begin, rest->end}, "");
}

void change_loop(const ForStmt& node, Changes& changes) {
  change_start(node.getInit(), changes);
  change_step(node.getInc(), changes);
  change_bound(node.getCond(), changes);
  // One that goes on where another ended is a tail.
  changes.replace(node.getInit() ? "statement" : "tail", &node, ";");
}

// What stands in a block in the other order.
void change_block(const CompoundStmt& node, Changes& changes) {
  const Stmt* before = nullptr;
  for (const Stmt* statement : node.body()) {
    if (before && llvm::isa<Expr>(before) && llvm::isa<Expr>(statement) && !is_barrier(*before) &&
        !is_barrier(*statement)) {
      const auto a = changes.range(before), b = changes.range(statement);
      if (a && b && a->end <= b->begin)
        changes.replace("order", TextRange{a->begin, b->end},
                        changes.text(*b) + changes.text(TextRange{a->end, b->begin}) + changes.text(*a));
    }
    before = statement;
  }
}

void drop_statement(const Stmt& node, Changes& changes) {
  if (llvm::isa<NullStmt>(node)) return;
  if (is_barrier(node))
    changes.replace("barrier", &node, ";");
  else if (llvm::isa<Expr, BreakStmt, ContinueStmt>(node))
    changes.replace("statement", &node, ";");
  else if (const auto* back = llvm::dyn_cast<ReturnStmt>(&node); back && !back->getRetValue())
    changes.replace("statement", &node, ";");
}

void change_return(const ReturnStmt& node, Changes& changes) {
  const Expr* value = node.getRetValue();
  if (!value) return;
  const QualType type = value->IgnoreImpCasts()->getType();
  if (type->isBooleanType())
    changes.replace("return", value->getSourceRange(), "!(" + changes.text(value) + ")");
  else if (type->isArithmeticType())
    changes.replace("return", value->getSourceRange(), "(" + changes.text(value) + ") + 1");
}

}  // namespace hone::mutation
