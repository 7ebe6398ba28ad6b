#include "tool/frontend/arguments/member_uses.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <utility>

#include "tool/frontend/parse/syntax_visitor.h"
#include "tool/frontend/parse/system_header.h"

namespace hone::frontend {
namespace {

using namespace clang;

class MemberUses final : public SyntaxVisitor {
 public:
  std::set<const FieldDecl*> fields;

  void follow(const FunctionDecl& function) {
    const FunctionDecl* definition = nullptr;
    if (!function.hasBody(definition) || !seen_.insert(definition).second) return;
    TraverseStmt(definition->getBody());
    if (const auto* constructor = llvm::dyn_cast<CXXConstructorDecl>(definition))
      for (const CXXCtorInitializer* init : constructor->inits()) TraverseStmt(init->getInit());
  }
  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }
  bool VisitMemberExpr(MemberExpr* use) override {
    if (const auto* field = llvm::dyn_cast<FieldDecl>(use->getMemberDecl())) fields.insert(field);
    if (const auto* method = llvm::dyn_cast<CXXMethodDecl>(use->getMemberDecl())) meet(*method);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr* use) override {
    if (const auto* called = llvm::dyn_cast<FunctionDecl>(use->getDecl())) meet(*called);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* made) override {
    meet(*made->getConstructor());
    return true;
  }

 private:
  void meet(const FunctionDecl& function) {
    if (!in_system_header(&function)) follow(function);
  }

  std::set<const FunctionDecl*> seen_;
};

}  // namespace

std::set<const FieldDecl*> members_mentioned(const FunctionDecl& function) {
  MemberUses uses;
  uses.follow(function);
  return std::move(uses.fields);
}

}  // namespace hone::frontend
