#include "tool/frontend/infer/object_paths.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <variant>

#include "tool/frontend/arguments/container_type.h"
#include "tool/frontend/arguments/element_layout.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

class ModifiedFields final : public SyntaxVisitor {
 public:
  std::set<const FieldDecl*> found;

  bool VisitBinaryOperator(BinaryOperator* operation) override {
    if (operation->isAssignmentOp()) add(operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* operation) override {
    if (operation->isIncrementDecrementOp() || operation->getOpcode() == UO_AddrOf) add(operation->getSubExpr());
    return true;
  }

 private:
  void add(const Expr* expression) {
    if (const auto* member = llvm::dyn_cast<MemberExpr>(expression->IgnoreParenCasts()))
      if (const auto* field = llvm::dyn_cast<FieldDecl>(member->getMemberDecl())) found.insert(field);
  }
};

QualType behind(QualType type) {
  type = type.getCanonicalType().getNonReferenceType();
  return type->isPointerType() ? type->getPointeeType() : type;
}

}  // namespace

bool is_put_together(QualType type, const ASTContext& context) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (!type->isRecordType() || type->isIncompleteType() || type->isDependentType() || !is_walkable(type)) return false;
  return std::holds_alternative<std::string>(element_layout(type, context));
}

ObjectPaths::ObjectPaths(const FunctionDecl& function) : function_(function) {
  for (const ParmVarDecl* parameter : function.parameters()) {
    const QualType type = parameter->getType();
    if (!parameter->getNameAsString().empty() && behind(type)->isRecordType())
      known_[parameter] = {parameter->getNameAsString(), type->isPointerType()};
  }
  const auto* method = llvm::dyn_cast<CXXMethodDecl>(&function);
  if (method && method->isImplicitObjectMemberFunction()) own_ = Path{"", true};
  ModifiedFields modified;
  modified.TraverseStmt(function.getBody());
  modified_ = std::move(modified.found);
}

std::string ObjectPaths::member(const Path& object, const std::string& name) const {
  if (!object.text.empty()) return object.text + (object.pointer ? "->" : ".") + name;
  const bool hidden = std::ranges::any_of(
      function_.parameters(), [&](const ParmVarDecl* parameter) { return parameter->getNameAsString() == name; });
  return (hidden ? "this->" : "") + name;
}

std::optional<ObjectPaths::Path> ObjectPaths::find(const Expr* expression) const {
  expression = expression->IgnoreParenImpCasts();
  if (llvm::isa<CXXThisExpr>(expression)) return own_;
  if (const auto* use = llvm::dyn_cast<DeclRefExpr>(expression)) {
    const auto found = known_.find(use->getDecl());
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }
  if (const auto* unary = llvm::dyn_cast<UnaryOperator>(expression)) {
    std::optional<Path> inner = find(unary->getSubExpr());
    const bool to = unary->getOpcode() == UO_AddrOf, from = unary->getOpcode() == UO_Deref;
    // Both leave the text as it is: `(&g)->w` is `g.w`.
    return inner && ((to && !inner->pointer) || (from && inner->pointer)) ? inner : std::nullopt;
  }
  const auto* member_use = llvm::dyn_cast<MemberExpr>(expression);
  const auto* field = member_use ? llvm::dyn_cast<FieldDecl>(member_use->getMemberDecl()) : nullptr;
  if (!field || field->getNameAsString().empty()) return std::nullopt;
  const std::optional<Path> object = find(member_use->getBase());
  if (!object) return std::nullopt;
  return Path{member(*object, field->getNameAsString()), field->getType()->isPointerType()};
}

std::optional<std::string> ObjectPaths::number(const Expr& expression) const {
  if (const auto* call = llvm::dyn_cast<CXXMemberCallExpr>(&expression)) {
    const Expr* container = call->getImplicitObjectArgument();
    const CXXMethodDecl* method = call->getMethodDecl();
    const bool sizes = method && method->getDeclName().isIdentifier() && method->getName() == "size";
    if (!sizes || call->getNumArgs() > 0 || !container || !container_type(behind(container->getType())))
      return std::nullopt;
    const std::optional<Path> path = find(container);
    return path && !path->text.empty() ? std::optional(path->text + ".size()") : std::nullopt;
  }
  const auto* member_use = llvm::dyn_cast<MemberExpr>(&expression);
  const auto* field = member_use ? llvm::dyn_cast<FieldDecl>(member_use->getMemberDecl()) : nullptr;
  if (!field || !field->getType()->isIntegerType() || modified_.contains(field)) return std::nullopt;
  const std::optional<Path> path = find(&expression);
  return path ? std::optional(path->text) : std::nullopt;
}

bool ObjectPaths::moves(const Expr& member) const {
  const auto* use = llvm::dyn_cast<MemberExpr>(&member);
  const auto* field = use ? llvm::dyn_cast<FieldDecl>(use->getMemberDecl()) : nullptr;
  return field && modified_.contains(field);
}

ObjectPaths::Frame ObjectPaths::enter(const FunctionDecl& callee, const CallExpr& call) {
  Frame frame{own_};
  ModifiedFields modified;
  modified.TraverseStmt(callee.getBody());
  modified_.insert(modified.found.begin(), modified.found.end());
  const auto* method = llvm::dyn_cast<CXXMemberCallExpr>(&call);
  std::optional<Path> own =
      method && method->getImplicitObjectArgument() ? find(method->getImplicitObjectArgument()) : std::nullopt;
  std::map<const ValueDecl*, std::optional<Path>> handed;  // all looked at before one is set
  for (unsigned i = 0; i < call.getNumArgs() && i < callee.getNumParams(); ++i)
    handed[callee.getParamDecl(i)] =
        behind(callee.getParamDecl(i)->getType())->isRecordType() ? find(call.getArg(i)) : std::nullopt;
  for (auto& [parameter, path] : handed) {
    known_.erase(parameter);
    if (path) known_[parameter] = *std::move(path);
  }
  own_ = std::move(own);
  return frame;
}

}  // namespace hone::frontend
