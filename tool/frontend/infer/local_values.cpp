#include "tool/frontend/infer/local_values.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>

#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

// Variables that are declared without a value and get one once, as C89 has it.
class LateValues final : public SyntaxVisitor {
 public:
  bool VisitVarDecl(VarDecl* variable) override {
    if (variable->isLocalVarDecl() && !variable->getInit()) ++times_[variable];
    if (variable->getType()->isReferenceType() && variable->getInit()) add(variable->getInit(), 2);
    return true;
  }
  bool VisitCallExpr(CallExpr* call) override {
    for (const Expr* argument : call->arguments())  // by reference, if nothing reads it first
      if (llvm::isa<DeclRefExpr>(argument->IgnoreParens())) add(argument, 2);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator* operation) override {
    if (operation->isAssignmentOp()) add(operation->getLHS(), operation->getOpcode() == BO_Assign ? 1 : 2);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* operation) override {
    if (operation->isIncrementDecrementOp() || operation->getOpcode() == UO_AddrOf) add(operation->getSubExpr(), 2);
    return true;
  }
  bool is_late(const VarDecl& variable) const {
    const auto found = times_.find(&variable);
    return found != times_.end() && found->second == 2 && !variable.getInit() && variable.isLocalVarDecl();
  }

 private:
  void add(const Expr* target, unsigned times) {
    if (const auto* use = llvm::dyn_cast<DeclRefExpr>(target->IgnoreParenCasts()))
      if (const auto* variable = llvm::dyn_cast<VarDecl>(use->getDecl())) times_[variable] += times;
  }
  std::map<const VarDecl*, unsigned> times_;  // one for the declaration
};

std::set<const VarDecl*> modified_later(const Stmt* body) {
  std::set<const VarDecl*> modified = modified_in(body);
  LateValues late;
  late.TraverseStmt(const_cast<Stmt*>(body));
  std::erase_if(modified, [&](const VarDecl* variable) { return late.is_late(*variable); });
  return modified;
}

}  // namespace

void LocalValues::enter(const FunctionDecl& function) {
  const std::set<const VarDecl*> inner = modified_later(function.getBody());
  modified_.insert(inner.begin(), inner.end());
  for (const ParmVarDecl* parameter : function.parameters()) declared_at_[parameter] = bounds_.depth();
  for (const VarDecl* variable : inner) steps_.erase(variable);
  find_steps(function.getBody());
}

const LocalValues::Way* LocalValues::way(const VarDecl& variable) const {
  const auto found = steps_.find(&variable);
  return found == steps_.end() ? nullptr : &found->second;
}

void LocalValues::note(const Stmt* statement) {
  note_declared(statement);
  note_late(statement);
}

// Pointers and integers that only count along, by the step of each count and the loops around it.
void LocalValues::find_steps(const Stmt* statement) {
  if (!statement) return;
  if (const auto* loop = llvm::dyn_cast<ForStmt>(statement)) {
    find_steps(loop->getInit());
    bounds_.enter(*loop, modified_in(loop->getBody()));
    find_steps(loop->getBody());
    find_steps(loop->getInc());
    return bounds_.leave();
  }
  if (llvm::isa<WhileStmt, DoStmt, CXXForRangeStmt>(statement)) {
    if (const auto* loop = llvm::dyn_cast<WhileStmt>(statement))
      bounds_.enter_while(loop->getCond(), modified_in(loop->getBody()));
    else
      bounds_.enter_unknown();
    for (const Stmt* child : statement->children()) find_steps(child);
    return bounds_.leave();
  }
  if (const auto* directive = llvm::dyn_cast<OMPExecutableDirective>(statement))
    return directive->hasAssociatedStmt() ? find_steps(directive->getRawStmt()) : void();
  note(statement);
  if (const auto* unary = llvm::dyn_cast<UnaryOperator>(statement); unary && unary->isIncrementDecrementOp())
    add_step(unary->getSubExpr(), unary->isIncrementOp() ? std::optional(Polynomial(1)) : std::nullopt);
  if (const auto* assign = llvm::dyn_cast<BinaryOperator>(statement); assign && assign->isAssignmentOp())
    add_step(assign->getLHS(),
             assign->getOpcode() == BO_AddAssign ? bounds_.affine().value(assign->getRHS()) : std::nullopt);
  for (const Stmt* child : statement->children()) find_steps(child);
}

void LocalValues::note_declared(const Stmt* statement) {
  const auto* declared = llvm::dyn_cast<DeclStmt>(statement);
  if (!declared) return;
  for (const Decl* one : declared->decls()) {
    const auto* variable = llvm::dyn_cast<VarDecl>(one);
    if (!variable || !variable->getInit()) continue;
    declared_at_[variable] = bounds_.depth();
    if (variable->getType()->isIntegerType() && !modified_.contains(variable))
      if (auto value = bounds_.affine().value(variable->getInit())) bounds_.affine().set(*variable, *std::move(value));
  }
}

// `n = g->w;` behind `int n;`
void LocalValues::note_late(const Stmt* statement) {
  const auto* assign = llvm::dyn_cast<BinaryOperator>(statement);
  const auto* use = assign && assign->getOpcode() == BO_Assign
                        ? llvm::dyn_cast<DeclRefExpr>(assign->getLHS()->IgnoreParenCasts())
                        : nullptr;
  const auto* variable = use ? llvm::dyn_cast<VarDecl>(use->getDecl()) : nullptr;
  if (!variable || !variable->isLocalVarDecl() || modified_.contains(variable)) return;
  if (!variable->getType()->isIntegerType()) return;
  if (auto value = bounds_.affine().value(assign->getRHS())) bounds_.affine().set(*variable, *std::move(value));
}

void LocalValues::add_step(const Expr* target, std::optional<Polynomial> step) {
  const auto* use = llvm::dyn_cast<DeclRefExpr>(target->IgnoreParenCasts());
  const auto* variable = use ? llvm::dyn_cast<VarDecl>(use->getDecl()) : nullptr;
  if (!variable || !(variable->getType()->isPointerType() || variable->getType()->isIntegerType())) return;
  const auto trips = bounds_.trips(declared_at_[variable]);
  auto& [way, each] = steps_.try_emplace(variable, Way{Polynomial(), {}}).first->second;
  if (step && step->constant() && *step->constant() < 0) step.reset();
  if (step) each += bounds_.largest(*step);
  way = way && step && trips ? std::optional(*way + bounds_.largest(*step) * *trips) : std::nullopt;
}

}  // namespace hone::frontend
