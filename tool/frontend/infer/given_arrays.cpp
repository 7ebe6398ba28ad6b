#include "tool/frontend/infer/given_arrays.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <optional>

#include "tool/frontend/arguments/container_type.h"

namespace hone::frontend {

using namespace clang;

const Array* GivenArrays::behind_pointer(const std::string& path, QualType element) {
  const auto [known, is_new] = arrays_.try_emplace(path);
  if (is_new) known->second = std::make_unique<Array>(Array{path, element, false, element.isConstQualified()});
  return known->second.get();
}

const Array* GivenArrays::in_container(const std::string& path, QualType type) {
  const QualType whole = type.getNonReferenceType();
  const auto container = container_type(whole);
  if (!container) return nullptr;
  const bool constant = container->constant || whole.isConstQualified();
  const auto [known, is_new] = arrays_.try_emplace(path);
  if (is_new) known->second = std::make_unique<Array>(Array{path, container->element, true, constant});
  known->second->constant &= constant;  // a const member function may have looked first
  return known->second.get();
}

const Array* GivenArrays::of_member(const Expr& expression) {
  const auto* member = llvm::dyn_cast<MemberExpr>(&expression);
  const auto* field = member ? llvm::dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  const std::optional<ObjectPaths::Path> path = field ? objects_.find(&expression) : std::nullopt;
  if (!path) return nullptr;
  const QualType type = field->getType();
  if (!type->isPointerType()) return in_container(path->text, expression.getType());
  const QualType element = type->getPointeeType();
  if (element->isVoidType() || element->isFunctionType()) return nullptr;
  return is_put_together(element, function_.getASTContext()) ? nullptr : behind_pointer(path->text, element);
}

const Array* GivenArrays::of_container(const Expr& container) {
  const Expr* plain = container.IgnoreParenImpCasts();
  if (const Array* member = of_member(*plain)) return member->container ? member : nullptr;
  const std::optional<ObjectPaths::Path> path = objects_.find(plain);
  return path && !path->text.empty() ? in_container(path->text, plain->getType()) : nullptr;
}

}  // namespace hone::frontend
