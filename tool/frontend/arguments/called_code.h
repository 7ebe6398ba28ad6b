// The walk over a function and over all of the user's that it calls, each once: derive from it, and call follow(). A
// Visit function that replaces one of these three calls it too.
#pragma once

#include <set>

#include "tool/frontend/arguments/giving_up.h"

namespace hone::frontend {

class CalledCodeVisitor : public GivingUpVisitor {
 public:
  void follow(const clang::FunctionDecl& function);
  void leave_out(const clang::FunctionDecl& function);

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }
  bool VisitMemberExpr(clang::MemberExpr* use) override;
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override;
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override;

 private:
  void meet(const clang::FunctionDecl& function);

  std::set<const clang::FunctionDecl*> seen_;
};

}  // namespace hone::frontend
