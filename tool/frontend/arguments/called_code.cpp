#include "tool/frontend/arguments/called_code.h"

#include "tool/frontend/parse/system_header.h"

namespace hone::frontend {

using namespace clang;

void CalledCodeVisitor::follow(const FunctionDecl& function) {
  const FunctionDecl* definition = nullptr;
  if (!function.hasBody(definition) || !seen_.insert(definition).second) return;
  TraverseStmt(definition->getBody());
  if (const auto* constructor = llvm::dyn_cast<CXXConstructorDecl>(definition))
    for (const CXXCtorInitializer* init : constructor->inits()) TraverseStmt(init->getInit());
}

void CalledCodeVisitor::leave_out(const FunctionDecl& function) {
  const FunctionDecl* definition = nullptr;
  if (function.hasBody(definition)) seen_.insert(definition);
}

bool CalledCodeVisitor::VisitMemberExpr(MemberExpr* use) {
  if (const auto* method = llvm::dyn_cast<CXXMethodDecl>(use->getMemberDecl())) meet(*method);
  return true;
}

bool CalledCodeVisitor::VisitDeclRefExpr(DeclRefExpr* use) {
  if (const auto* called = llvm::dyn_cast<FunctionDecl>(use->getDecl())) meet(*called);
  return true;
}

bool CalledCodeVisitor::VisitCXXConstructExpr(CXXConstructExpr* made) {
  meet(*made->getConstructor());
  return true;
}

void CalledCodeVisitor::meet(const FunctionDecl& function) {
  if (!in_system_header(&function)) follow(function);
}

}  // namespace hone::frontend
