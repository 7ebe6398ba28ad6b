#include "tool/frontend/describe/needed_definitions.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <algorithm>
#include <set>

#include "tool/frontend/arguments/called_code.h"
#include "tool/frontend/parse/system_header.h"

namespace hone::frontend {
namespace {

using namespace clang;

class Walk final : public CalledCodeVisitor {
 public:
  std::vector<NeededDefinition> found;

  void walk(const NamedDecl& root, Need need) {
    need_ = need;
    if (const auto* function = llvm::dyn_cast<FunctionDecl>(&root)) follow(*function);
    if (const auto* variable = llvm::dyn_cast<VarDecl>(&root)) meet_variable(*variable);
  }

  bool VisitMemberExpr(MemberExpr* use) override {
    if (const auto* method = llvm::dyn_cast<FunctionDecl>(use->getMemberDecl())) check_function(*method);
    if (const auto* variable = llvm::dyn_cast<VarDecl>(use->getMemberDecl())) meet_variable(*variable);
    return CalledCodeVisitor::VisitMemberExpr(use);
  }
  bool VisitDeclRefExpr(DeclRefExpr* use) override {
    if (const auto* function = llvm::dyn_cast<FunctionDecl>(use->getDecl())) check_function(*function);
    if (const auto* variable = llvm::dyn_cast<VarDecl>(use->getDecl())) meet_variable(*variable);
    return CalledCodeVisitor::VisitDeclRefExpr(use);
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* made) override {
    check_function(*made->getConstructor());
    meet_table(*made->getConstructor()->getParent());
    return CalledCodeVisitor::VisitCXXConstructExpr(made);
  }
  bool VisitVarDecl(VarDecl* variable) override { return meet_end(variable->getType()), true; }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr* made) override { return meet_end(made->getType()), true; }
  bool VisitCXXDeleteExpr(CXXDeleteExpr* use) override { return meet_end(use->getDestroyedType()), true; }

 private:
  void add(const NamedDecl& declaration) {
    const auto* canonical = llvm::cast<NamedDecl>(declaration.getCanonicalDecl());
    if (std::ranges::find(found, canonical, &NeededDefinition::declaration) == found.end())
      found.push_back({canonical, need_});
  }

  void check_function(const FunctionDecl& function) {
    const bool undeclared =
        function.isImplicit() && !function.getASTContext().getLangOpts().CPlusPlus;  // C may call it
    if (in_system_header(&function) || function.getBuiltinID() || function.isDefined() || function.isDeleted() ||
        function.isDefaulted() || (function.isImplicit() && !undeclared) || function.isPureVirtual() ||
        function.getTemplateInstantiationPattern() || function.isDependentContext() ||
        function.getLocation().isInvalid())
      return;
    add(function);
  }

  // A constant may hold addresses. Others are the closure's to find.
  void meet_variable(const VarDecl& variable) {
    if (!variable.hasGlobalStorage() || in_system_header(&variable) ||
        !variables_.insert(variable.getCanonicalDecl()).second)
      return;
    if (const Expr* value = variable.getAnyInitializer()) {
      TraverseStmt(const_cast<Expr*>(value));
      meet_end(variable.getType());
      return;
    }
    const QualType type = variable.getASTContext().getBaseElementType(variable.getType().getNonReferenceType());
    if (type.isConstQualified() && !variable.getDefinition() && !variable.getTemplateInstantiationPattern())
      add(variable);
  }

  // Objects point to their class's table of virtual functions. It stands where the first of these is defined that is
  // not inline, else in each unit.
  void meet_table(const CXXRecordDecl& record) {
    if (!record.hasDefinition() || !record.isPolymorphic() || record.isDependentContext() ||
        in_system_header(&record) || !tables_.insert(record.getCanonicalDecl()).second)
      return;
    const CXXMethodDecl* key = record.getASTContext().getCurrentKeyFunction(&record);
    if (key && !key->isDefined()) return check_function(*key);
    for (const CXXMethodDecl* method : record.methods()) {
      if (!method->isVirtual()) continue;
      check_function(*method);
      follow(*method);
    }
  }

  // An object of that type ends.
  void meet_end(QualType type) {
    if (type.isNull() || type->isReferenceType() || type->isDependentType()) return;
    const CXXRecordDecl* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || in_system_header(record) ||
        !ended_.insert(record->getCanonicalDecl()).second)
      return;
    const CXXDestructorDecl* destructor = record->getDestructor();
    if (destructor) {
      check_function(*destructor);
      follow(*destructor);
    }
    if (destructor && !destructor->isDefined() && !destructor->isDefaulted() && !destructor->isImplicit()) return;
    // What stands here ends its parts, and points to the table of its own class meanwhile.
    meet_table(*record);
    for (const CXXBaseSpecifier& base : record->bases()) meet_end(base.getType());
    for (const FieldDecl* field : record->fields()) meet_end(field->getType());
  }

  Need need_ = Need::emitted;
  std::set<const VarDecl*> variables_;
  std::set<const CXXRecordDecl*> tables_, ended_;
};

}  // namespace

std::vector<NeededDefinition> needed_definitions(std::vector<std::pair<const NamedDecl*, Need>> roots) {
  Walk walk;
  std::ranges::stable_sort(roots, [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [root, need] : roots) walk.walk(*root, need);
  return std::move(walk.found);
}

}  // namespace hone::frontend
