// A walk over a function's body and those of what it calls of the user's, each once. Borrows the AST.
#pragma once

#include <set>

#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {

// Derive from it, and define the Visit functions of the nodes that you want to see; but for those below, which lead on.
class ReachedCode : public SyntaxVisitor {
 public:
  explicit ReachedCode(const clang::ASTContext& context) : context_(context) {}

  void walk(const clang::FunctionDecl& function);

  bool shouldVisitTemplateInstantiations() const final { return true; }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) final { return follow(reference->getDecl()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) final { return follow(made->getConstructor()); }
  bool VisitMemberExpr(clang::MemberExpr* member) final { return follow(member->getMemberDecl()); }

 protected:
  // What is named, as often as it is, the system's too.
  virtual void reached(const clang::ValueDecl&) {}

  const clang::ASTContext& context() const { return context_; }

 private:
  bool follow(clang::ValueDecl* declaration);

  const clang::ASTContext& context_;
  std::set<const clang::Decl*> seen_;
};

}  // namespace hone::frontend
