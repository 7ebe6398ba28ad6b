#include "tool/frontend/arguments/member_uses.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <utility>

#include "tool/frontend/arguments/called_code.h"

namespace hone::frontend {
namespace {

using namespace clang;

class MemberUses final : public CalledCodeVisitor {
 public:
  std::set<const FieldDecl*> fields;

  bool VisitMemberExpr(MemberExpr* use) override {
    if (const auto* field = llvm::dyn_cast<FieldDecl>(use->getMemberDecl())) fields.insert(field);
    return CalledCodeVisitor::VisitMemberExpr(use);
  }
};

}  // namespace

std::set<const FieldDecl*> members_mentioned(const FunctionDecl& function) {
  MemberUses uses;
  uses.follow(function);
  return std::move(uses.fields);
}

}  // namespace hone::frontend
