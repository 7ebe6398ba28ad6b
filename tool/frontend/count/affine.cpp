#include "tool/frontend/count/affine.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include <cmath>

#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr unsigned kDeepestCall = 16;  // a function may call itself

class Modifications final : public SyntaxVisitor {
 public:
  std::set<const VarDecl*> found;

  bool VisitBinaryOperator(BinaryOperator* operation) {
    if (operation->isAssignmentOp()) add(operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* operation) {
    if (operation->isIncrementDecrementOp() || operation->getOpcode() == UO_AddrOf) add(operation->getSubExpr());
    return true;
  }
  bool VisitCallExpr(CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    const unsigned hidden = llvm::isa<CXXOperatorCallExpr>(call) && llvm::isa_and_nonnull<CXXMethodDecl>(callee);
    for (unsigned i = hidden; callee && i < call->getNumArgs() && i - hidden < callee->getNumParams(); ++i)
      if (changes(callee->getParamDecl(i - hidden)->getType())) add(call->getArg(i));
    return true;
  }
  bool VisitVarDecl(VarDecl* variable) {
    if (changes(variable->getType()) && variable->getInit()) add(variable->getInit());
    return true;
  }

 private:
  static bool changes(QualType type) {
    return type->isReferenceType() && !type.getNonReferenceType().isConstQualified();
  }
  void add(const Expr* expression) {
    if (const auto* use = llvm::dyn_cast<DeclRefExpr>(expression->IgnoreParenCasts()))
      if (const auto* variable = llvm::dyn_cast<VarDecl>(use->getDecl())) found.insert(variable);
  }
};

std::optional<Polynomial> combined(const BinaryOperator& operation, const Polynomial& left, const Polynomial& right) {
  const std::optional<double> number = right.constant();
  switch (operation.getOpcode()) {
    case BO_Add:
      return left + right;
    case BO_Sub:
      return left - right;
    case BO_Mul:
      return left * right;
    case BO_Div:
      if (!number || *number == 0) return std::nullopt;
      return left * Polynomial(1 / *number);
    case BO_Shl:
    case BO_Shr:
      if (!number || *number < 0 || *number > 62) return std::nullopt;
      return left * Polynomial(std::pow(2.0, operation.getOpcode() == BO_Shl ? *number : -*number));
    default:
      return std::nullopt;
  }
}

}  // namespace

std::set<const VarDecl*> modified_in(const Stmt* statement) {
  Modifications modifications;
  modifications.TraverseStmt(const_cast<Stmt*>(statement));
  return std::move(modifications.found);
}

void Affine::bind(const FunctionDecl& function, const Expr* const* arguments, unsigned count) {
  const std::set<const VarDecl*> modified = modified_in(function.getBody());
  std::map<const VarDecl*, Polynomial> bound;  // all looked at before one is set: a function may call itself
  for (unsigned i = 0; i < count && i < function.getNumParams(); ++i)
    if (!modified.contains(function.getParamDecl(i)))
      if (auto argument = value(arguments[i])) bound[function.getParamDecl(i)] = *std::move(argument);
  for (const ParmVarDecl* parameter : function.parameters()) known_.erase(parameter);
  for (auto& [parameter, argument] : bound) known_[parameter] = std::move(argument);
}

std::optional<Polynomial> Affine::of_call(const CallExpr& call) {
  const FunctionDecl* function = call.getDirectCallee();
  const Stmt* body = function ? function->getBody(function) : nullptr;
  const auto* block = llvm::dyn_cast_or_null<CompoundStmt>(body);
  if (!block || block->size() != 1 || depth_ >= kDeepestCall) return std::nullopt;
  const auto* result = llvm::dyn_cast<ReturnStmt>(block->body_front());
  if (!result || llvm::isa<CXXMethodDecl>(function)) return std::nullopt;
  ++depth_;
  bind(*function, call.getArgs(), call.getNumArgs());
  std::optional<Polynomial> returned = value(result->getRetValue());
  --depth_;
  return returned;
}

std::optional<Polynomial> Affine::value(const Expr* expression) {
  if (!expression || expression->isValueDependent()) return std::nullopt;
  expression = expression->IgnoreParens()->IgnoreImplicit();
  if (!expression->getType()->isIntegralOrEnumerationType()) return std::nullopt;
  if (Expr::EvalResult result; expression->EvaluateAsInt(result, context_))
    return Polynomial(result.Val.getInt().roundToDouble(result.Val.getInt().isSigned()));
  if (const auto* cast = llvm::dyn_cast<CastExpr>(expression)) return value(cast->getSubExpr());
  if (const auto* use = llvm::dyn_cast<DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<VarDecl>(use->getDecl());
    const auto known = known_.find(variable);
    return known == known_.end() ? std::nullopt : std::optional(known->second);
  }
  if (const auto* list = llvm::dyn_cast<InitListExpr>(expression))
    return list->getNumInits() == 1 ? value(list->getInit(0)) : std::nullopt;
  if (members_ && llvm::isa<MemberExpr, CXXMemberCallExpr>(expression)) return members_(*expression);
  if (const auto* call = llvm::dyn_cast<CallExpr>(expression)) return of_call(*call);
  if (const auto* operation = llvm::dyn_cast<UnaryOperator>(expression)) {
    const std::optional<Polynomial> inner = value(operation->getSubExpr());
    if (!inner || (operation->getOpcode() != UO_Minus && operation->getOpcode() != UO_Plus)) return std::nullopt;
    return operation->getOpcode() == UO_Minus ? Polynomial() - *inner : *inner;
  }
  const auto* operation = llvm::dyn_cast<BinaryOperator>(expression);
  if (!operation) return std::nullopt;
  const std::optional<Polynomial> left = value(operation->getLHS()), right = value(operation->getRHS());
  if (!left || !right) return std::nullopt;
  if (quotients_ && operation->getOpcode() == BO_Div && !right->constant()) return quotients_(*left, *right);
  return combined(*operation, *left, *right);
}

}  // namespace hone::frontend
