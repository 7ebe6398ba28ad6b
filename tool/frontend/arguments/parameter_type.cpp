#include "tool/frontend/arguments/parameter_type.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/PrettyPrinter.h>

#include "tool/frontend/arguments/element_layout.h"
#include "tool/frontend/parse/device_code.h"

namespace hone::frontend {
namespace {

// How many elements an array has, as an expression; "" where its type does not say.
std::string length_of(const clang::ASTContext& context, clang::QualType type) {
  if (const auto* array = context.getAsConstantArrayType(type)) return std::to_string(array->getSize().getZExtValue());
  const auto* array = context.getAsVariableArrayType(type);
  if (!array || !array->getSizeExpr()) return "";
  std::string text;
  llvm::raw_string_ostream out(text);
  array->getSizeExpr()->printPretty(out, nullptr, clang::PrintingPolicy(context.getLangOpts()));
  return text;
}

std::string add_pointer(const clang::ASTContext& context, clang::QualType pointee, ParameterType& type) {
  type.parameter.pointer = true;
  while (const auto* array = context.getAsArrayType(pointee)) {
    type.inner.push_back(length_of(context, pointee));
    if (type.inner.back().empty()) return "points to arrays of no length, which no clause describes";
    pointee = array->getElementType();
  }
  type.constant = pointee.isConstQualified();
  if (pointee->isVoidType()) return "does not say what it points to";
  if (pointee->isFunctionType()) return "is a pointer to a function, which no clause describes";
  if (pointee->isAnyPointerType()) return "is a pointer to pointers, which no clause describes";
  if (pointee.isVolatileQualified()) return "points to volatile data, which no clause describes";
  auto layout = element_layout(pointee.getUnqualifiedType(), context);
  if (auto* why = std::get_if<std::string>(&layout))
    return "points to data that " + *why + ", which no clause describes";
  type.parameter.element = std::get<ElementType>(std::move(layout));
  return "";
}

std::string add_scalar(const clang::ASTContext& context, clang::QualType type, Parameter& parameter) {
  if (type->isReferenceType()) return "is a reference, which no clause describes";
  if (type->isRecordType() && !small_float(type)) return "is a class, which no clause describes";
  if (type->isAnyComplexType()) return "is a complex number, which no clause describes; take it by pointer";
  if (type->isMemberPointerType() || type->isBlockPointerType() || type->isNullPtrType()) return "is not plain data";
  auto layout = element_layout(type, context);
  if (auto* why = std::get_if<std::string>(&layout)) return *why;
  parameter.element = std::get<ElementType>(std::move(layout));
  if (const auto* enumeration = type->getAs<clang::EnumType>())
    for (const clang::EnumConstantDecl* enumerator : enumeration->getDecl()->enumerators())
      parameter.enumerators.push_back(enumerator->getInitVal().getExtValue());
  return "";
}

// The runner puts its own stream there; the storage is that of a pointer.
std::string add_stream(const clang::ASTContext& context, Parameter& parameter) {
  parameter.stream = true;
  const auto size = static_cast<unsigned>(context.getTypeSizeInChars(context.VoidPtrTy).getQuantity());
  parameter.element = {"cudaStream_t", size, size, {{"", {ScalarKind::unsigned_integer, size}, 0, 1}}};
  return "";
}

}  // namespace

ParameterType parameter_type(const clang::ParmVarDecl& declared, clang::QualType type) {
  const clang::ASTContext& context = declared.getASTContext();
  ParameterType described;
  described.parameter.name = declared.getNameAsString();
  described.parameter.type = type.getAsString(context.getPrintingPolicy());
  described.flaw = is_stream(type)         ? add_stream(context, described.parameter)
                   : type->isPointerType() ? add_pointer(context, type->getPointeeType(), described)
                                           : add_scalar(context, type, described.parameter);
  return described;
}

std::string declared_length(const clang::ParmVarDecl& declared) {
  return length_of(declared.getASTContext(), declared.getOriginalType());
}

std::variant<ElementType, std::string> result_type(const clang::FunctionDecl& function) {
  const clang::QualType type = function.getReturnType().getCanonicalType();
  if (type->isReferenceType()) return std::string("is a reference");
  if (type->isAnyPointerType()) return std::string("is a pointer");
  return element_layout(type, function.getASTContext());
}

std::string advice_on_arguments(const FunctionDecl& function) {
  return is_in_cuda(function) ? "; pass what it holds as plain arrays and numbers"
                              : "; make the arguments in a function of yours, named by workload(fn)";
}

}  // namespace hone::frontend
