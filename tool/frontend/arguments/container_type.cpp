#include "tool/frontend/arguments/container_type.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <string_view>

namespace hone::frontend {
namespace {

using namespace clang;

// data() or data_handle() of the class or of a base, where it returns a pointer.
const CXXMethodDecl* find_data(const CXXRecordDecl& record) {
  for (const CXXMethodDecl* method : record.methods()) {
    if (!method->getDeclName().isIdentifier() || !method->param_empty()) continue;
    if (method->getName() != "data" && method->getName() != "data_handle") continue;
    if (method->getReturnType().getCanonicalType()->isPointerType()) return method;
  }
  for (const CXXBaseSpecifier& base : record.bases())
    if (const CXXRecordDecl* inner = base.getType()->getAsCXXRecordDecl(); inner && inner->hasDefinition())
      if (const CXXMethodDecl* found = find_data(*inner->getDefinition())) return found;
  return nullptr;
}

std::optional<ContainerType> of_template(const ClassTemplateSpecializationDecl& record) {
  const TemplateArgumentList& arguments = record.getTemplateArgs();
  if (!record.isInStdNamespace() || arguments.size() == 0 || arguments[0].getKind() != TemplateArgument::Type)
    return std::nullopt;
  const QualType element = arguments[0].getAsType().getCanonicalType();
  if (record.getName() == "vector" && !element->isBooleanType())
    return ContainerType{ContainerType::Kind::vector, element.getUnqualifiedType(), false, std::nullopt, ""};
  if (record.getName() == "array" && arguments.size() > 1 && arguments[1].getKind() == TemplateArgument::Integral)
    return ContainerType{ContainerType::Kind::array, element.getUnqualifiedType(), element.isConstQualified(),
                         arguments[1].getAsIntegral().getZExtValue(), ""};
  return std::nullopt;
}

}  // namespace

std::optional<ContainerType> container_type(QualType type) {
  const CXXRecordDecl* record = type.getCanonicalType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || !record->getIdentifier()) return std::nullopt;
  record = record->getDefinition();
  if (const auto* special = llvm::dyn_cast<ClassTemplateSpecializationDecl>(record))
    if (auto known = of_template(*special)) return known;
  if (!record->isTriviallyCopyable() || record->isAggregate() || record->isLambda()) return std::nullopt;
  const CXXMethodDecl* data = find_data(*record);
  if (!data) return std::nullopt;
  const QualType pointee = data->getReturnType().getCanonicalType()->getPointeeType();
  if (pointee->isVoidType() || pointee->isFunctionType()) return std::nullopt;
  return ContainerType{ContainerType::Kind::view, pointee.getUnqualifiedType(), pointee.isConstQualified(),
                       std::nullopt, data->getNameAsString()};
}

}  // namespace hone::frontend
