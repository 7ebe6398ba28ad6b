#include "tool/frontend/describe/object_use.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <set>

#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

// The object in `*this`; null in any other expression.
const CXXThisExpr* object_itself(const Expr* expression) {
  const auto* followed =
      llvm::dyn_cast_or_null<UnaryOperator>(expression ? expression->IgnoreParenImpCasts() : nullptr);
  if (!followed || followed->getOpcode() != UO_Deref) return nullptr;
  return llvm::dyn_cast<CXXThisExpr>(followed->getSubExpr()->IgnoreParenImpCasts());
}

// What runs may be another class's: neither the call nor the classes say which.
bool is_looked_up(const CXXMethodDecl& method, const MemberExpr* named) {
  const bool qualified = named && named->hasQualifier();
  return method.isVirtual() && !qualified && !method.hasAttr<FinalAttr>() && !method.getParent()->isEffectivelyFinal();
}

class Reader final : public SyntaxVisitor {
 public:
  ObjectUse use;

  bool shouldVisitImplicitCode() const override { return true; }

  // A body that is not there is the closure's affair.
  void enter(const CXXMethodDecl& method) {
    const FunctionDecl* body = nullptr;
    if (method.hasBody(body) && entered_.insert(body).second) TraverseStmt(body->getBody());
  }

  bool VisitMemberExpr(MemberExpr* member) override {
    const Expr* base = member->getBase()->IgnoreParenImpCasts();
    const auto* self = llvm::dyn_cast<CXXThisExpr>(base);
    if (!self) self = object_itself(base);
    if (!self) return true;
    accounted_.insert(self);
    if (const auto* field = llvm::dyn_cast<FieldDecl>(member->getMemberDecl())) add(*field);
    if (const auto* method = llvm::dyn_cast<CXXMethodDecl>(member->getMemberDecl())) call(*method, member);
    return true;
  }
  // (*this)(i, j)
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* use) override {
    const auto* method = llvm::dyn_cast_or_null<CXXMethodDecl>(use->getDirectCallee());
    const CXXThisExpr* self = method ? object_itself(use->getArg(0)) : nullptr;
    if (!self) return true;
    accounted_.insert(self);
    call(*method, nullptr);
    return true;
  }
  bool VisitReturnStmt(ReturnStmt* end) override {
    if (const CXXThisExpr* self = object_itself(end->getRetValue()); self && end->getRetValue()->isGLValue())
      accounted_.insert(self);
    return true;
  }
  // [this] takes the pointer along; what uses it stands inside.
  bool VisitLambdaExpr(LambdaExpr* lambda) override {
    for (const Expr* taken : lambda->capture_inits())
      if (const auto* self = llvm::dyn_cast_or_null<CXXThisExpr>(taken)) accounted_.insert(self);
    return true;
  }
  bool VisitCXXThisExpr(CXXThisExpr* self) override { return seen_.push_back(self), true; }

  // What no member was taken from.
  void finish() {
    use.whole = std::ranges::any_of(
        seen_, [&](const CXXThisExpr* self) { return !accounted_.contains(self) && !self->isImplicit(); });
  }

 private:
  void call(const CXXMethodDecl& method, const MemberExpr* named) {
    if (method.isStatic()) return;
    if (!is_looked_up(method, named))
      enter(method);
    else if (use.virtual_call.empty())
      use.virtual_call = method.getNameAsString();
  }
  void add(const FieldDecl& field) {
    if (std::ranges::find(use.members, &field) == use.members.end()) use.members.push_back(&field);
  }

  std::set<const Decl*> entered_;
  std::set<const CXXThisExpr*> accounted_;
  std::vector<const CXXThisExpr*> seen_;
};

class Returns final : public SyntaxVisitor {
 public:
  bool others = false, any = false;
  bool TraverseLambdaExpr(LambdaExpr*) override { return true; }
  bool VisitReturnStmt(ReturnStmt* end) override {
    (object_itself(end->getRetValue()) ? any : others) = true;
    return true;
  }
};

}  // namespace

ObjectUse object_use(const CXXMethodDecl& method) {
  Reader reader;
  if (method.isStatic()) return {};
  reader.enter(method);
  reader.finish();
  return std::move(reader.use);
}

bool returns_its_object(const FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<CXXMethodDecl>(&function);
  const QualType type = function.getReturnType().getCanonicalType();
  if (!method || method->isStatic() || !type->isLValueReferenceType() || !function.getBody() ||
      type->getPointeeType().getUnqualifiedType() !=
          function.getASTContext().getTypeDeclType(method->getParent()).getCanonicalType())
    return false;
  Returns returns;
  returns.TraverseStmt(function.getBody());
  return returns.any && !returns.others;
}

}  // namespace hone::frontend
