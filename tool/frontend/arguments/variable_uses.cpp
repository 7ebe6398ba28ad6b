#include "tool/frontend/arguments/variable_uses.h"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <set>
#include <utility>

#include "tool/frontend/arguments/called_code.h"
#include "tool/frontend/parse/system_header.h"

namespace hone::frontend {
namespace {

using namespace clang;

// v[i] of std::vector and std::array.
bool is_library_element(const CXXOperatorCallExpr& call) {
  return call.getOperator() == OO_Subscript && call.getDirectCallee() && in_system_header(call.getDirectCallee());
}

// table[i].weight -> table; not through a pointer, which leads elsewhere.
const DeclRefExpr* root_of(const Expr* expression) {
  for (;;) {
    expression = expression->IgnoreParens();
    if (const auto* use = llvm::dyn_cast<DeclRefExpr>(expression)) return use;
    const auto* cast = llvm::dyn_cast<ImplicitCastExpr>(expression);
    if (cast && (cast->getCastKind() == CK_ArrayToPointerDecay || cast->getCastKind() == CK_NoOp ||
                 cast->getCastKind() == CK_DerivedToBase || cast->getCastKind() == CK_UncheckedDerivedToBase))
      expression = cast->getSubExpr();
    else if (const auto* member = llvm::dyn_cast<MemberExpr>(expression); member && !member->isArrow())
      expression = member->getBase();
    else if (const auto* element = llvm::dyn_cast<ArraySubscriptExpr>(expression))
      expression = element->getBase();
    else if (const auto* called = llvm::dyn_cast<CXXOperatorCallExpr>(expression);
             called && is_library_element(*called))
      expression = called->getArg(0);
    else if (const auto* address = llvm::dyn_cast<UnaryOperator>(expression);
             address && address->getOpcode() == UO_AddrOf)
      expression = address->getSubExpr();
    else
      return nullptr;
  }
}

// A value of a type through which nothing can be written: const int&, const int*, const void*.
bool is_const_view(const ImplicitCastExpr& cast) {
  const QualType pointee = cast.getType()->isPointerType() ? cast.getType()->getPointeeType() : cast.getType();
  return (cast.getCastKind() == CK_NoOp || cast.getCastKind() == CK_BitCast) &&
         (cast.isGLValue() || cast.getType()->isPointerType()) && pointee.isConstQualified();
}

// A node comes before what is in it, so reads are known before their variable is met.
class Uses final : public CalledCodeVisitor {
 public:
  // All that a unit's own files have, whether it is called or not.
  void look_at(TranslationUnitDecl& unit) { TraverseDecl(&unit); }
  bool TraverseDecl(Decl* declaration) override {
    const bool foreign = declaration && declaration->getLocation().isValid() && in_system_header(declaration);
    return foreign || CalledCodeVisitor::TraverseDecl(declaration);
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == CK_LValueToRValue || is_const_view(*cast)) note_read(cast->getSubExpr());
    if (const DeclRefExpr* viewed = is_const_view(*cast) ? root_of(cast->getSubExpr()) : nullptr)
      viewed_.insert(viewed->getDecl()->getQualifiedNameAsString());
    return true;
  }
  bool VisitExplicitCastExpr(ExplicitCastExpr* cast) override {
    drops_const_ |= pointee_of(cast->getSubExpr()->getType()).isConstQualified() &&
                    !pointee_of(cast->getTypeAsWritten()).isConstQualified() && leads_elsewhere(*cast);
    return true;
  }
  // Where some cast takes away `const`, a view of a variable may be what it is applied to.
  std::map<std::string, VariableUse> all() {
    for (auto& [name, use] : found)
      if (drops_const_ && viewed_.contains(name)) use = VariableUse::changed;
    return std::move(found);
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr* call) override {
    const CXXMethodDecl* method = call->getMethodDecl();
    if (method && method->isConst()) note_read(call->getImplicitObjectArgument());
    return true;
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt* loop) override {
    const QualType element = loop->getLoopVariable()->getType();
    if (!element->isReferenceType() || element.getNonReferenceType().isConstQualified())
      note_read(loop->getRangeInit());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<VarDecl>(use->getDecl());
    if (variable && variable->hasGlobalStorage() && !variable->isStaticLocal()) {
      const bool reads = reads_.contains(use) || use->isNonOdrUse() != NOUR_None;
      const VariableUse change = gives_up() ? VariableUse::changed_giving_up : VariableUse::changed;
      VariableUse& all = found.try_emplace(variable->getQualifiedNameAsString(), VariableUse::read).first->second;
      all = std::max(all, reads ? VariableUse::read : change);
    }
    return CalledCodeVisitor::VisitDeclRefExpr(use);
  }

 private:
  void note_read(const Expr* expression) {
    if (const DeclRefExpr* use = root_of(expression)) reads_.insert(use);
  }

  static QualType pointee_of(QualType type) {
    return type->isPointerType() || type->isReferenceType() ? type->getPointeeType() : type;
  }
  static bool leads_elsewhere(const ExplicitCastExpr& cast) {
    return cast.getTypeAsWritten()->isPointerType() || cast.getTypeAsWritten()->isReferenceType();
  }

  std::map<std::string, VariableUse> found;
  std::set<const DeclRefExpr*> reads_;
  std::set<std::string> viewed_;  // as const
  bool drops_const_ = false;
};

}  // namespace

std::map<std::string, VariableUse> variable_uses(const FunctionDecl& function, const FunctionDecl* without) {
  Uses uses;
  if (without) uses.leave_out(*without);
  uses.follow(function);
  return uses.all();
}

bool is_never_written(const VarDecl& variable) {
  if (variable.isExternallyVisible()) return false;
  Uses uses;
  uses.look_at(*variable.getASTContext().getTranslationUnitDecl());
  const auto all = uses.all();
  const auto use = all.find(variable.getQualifiedNameAsString());
  return use != all.end() && use->second == VariableUse::read;
}

}  // namespace hone::frontend
