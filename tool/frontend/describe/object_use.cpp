#include "tool/frontend/describe/object_use.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <set>

#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

class Reader final : public SyntaxVisitor {
 public:
  ObjectUse use;

  bool shouldVisitImplicitCode() const override { return true; }

  void enter(const CXXMethodDecl& method) {
    const FunctionDecl* body = nullptr;
    if (!method.hasBody(body)) return whole("calls '" + method.getNameAsString() + "', which is defined elsewhere");
    if (entered_.insert(body).second) TraverseStmt(body->getBody());
  }

  bool VisitMemberExpr(MemberExpr* member) override {
    const auto* self = llvm::dyn_cast<CXXThisExpr>(member->getBase()->IgnoreImpCasts()->IgnoreParens());
    if (!self) return true;
    accounted_.insert(self);
    if (const auto* field = llvm::dyn_cast<FieldDecl>(member->getMemberDecl())) add(*field);
    const auto* method = llvm::dyn_cast<CXXMethodDecl>(member->getMemberDecl());
    if (!method || method->isStatic()) return true;
    if (method->isVirtual() && !member->hasQualifier())
      whole("calls '" + method->getNameAsString() + "', which is virtual");
    else
      enter(*method);
    return true;
  }
  bool VisitCXXThisExpr(CXXThisExpr* self) override { return seen_.push_back(self), true; }

  // What no member was taken from.
  void finish() {
    for (const CXXThisExpr* self : seen_)
      if (!accounted_.contains(self) && !self->isImplicit()) whole("uses 'this' as a whole");
  }

 private:
  void add(const FieldDecl& field) {
    if (std::ranges::find(use.members, &field) == use.members.end()) use.members.push_back(&field);
  }
  void whole(const std::string& why) {
    if (use.whole.empty()) use.whole = why;
  }

  std::set<const Decl*> entered_;
  std::set<const CXXThisExpr*> accounted_;
  std::vector<const CXXThisExpr*> seen_;
};

}  // namespace

ObjectUse object_use(const CXXMethodDecl& method) {
  Reader reader;
  if (method.isStatic()) return {};
  reader.enter(method);
  reader.finish();
  return std::move(reader.use);
}

}  // namespace hone::frontend
