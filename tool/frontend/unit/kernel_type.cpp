#include "tool/frontend/unit/kernel_type.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/PrettyPrinter.h>

#include "tool/frontend/parse/naming.h"
#include "tool/frontend/parse/template_parameter.h"

namespace hone::frontend {

using namespace clang;

namespace {

bool is_overloaded(const FunctionDecl& kernel) {
  const FunctionTemplateDecl* pattern = kernel.getPrimaryTemplate();
  const Decl* own = pattern ? pattern->getCanonicalDecl() : static_cast<const Decl*>(kernel.getCanonicalDecl());
  unsigned others = 0;
  for (const DeclContext* context = kernel.getDeclContext(); context; context = context->getParent()) {
    for (const NamedDecl* found : context->getRedeclContext()->lookup(kernel.getDeclName()))
      if (found->getUnderlyingDecl()->getCanonicalDecl() != own) ++others;
    if (!context->isInlineNamespace() &&
        !(llvm::isa<NamespaceDecl>(context) && llvm::cast<NamespaceDecl>(context)->isAnonymousNamespace()))
      break;
  }
  return others > 0;
}

// A member function's type without its class.
std::string member_type(const FunctionDecl& kernel) {
  ASTContext& context = kernel.getASTContext();
  const auto& type = *kernel.getType().getCanonicalType()->castAs<FunctionProtoType>();
  const QualType plain = context.getFunctionType(type.getReturnType(), type.getParamTypes(), {});
  return context.getPointerType(plain).getAsString(spelling_policy(context));
}

}  // namespace

std::vector<std::string> namespaces_around(const FunctionDecl& kernel) {
  std::vector<std::string> names;
  for (const DeclContext* context = kernel.getDeclContext(); context; context = context->getParent())
    if (const auto* space = llvm::dyn_cast<NamespaceDecl>(context)) {
      const bool unnamed = space->isAnonymousNamespace();
      names.insert(names.begin(), (space->isInline() && !unnamed ? "inline namespace " : "namespace ") +
                                      (unnamed ? std::string() : space->getNameAsString() + " "));
    }
  return names;
}

bool opens_scope(const FunctionDecl& kernel) {
  const auto* method = llvm::dyn_cast<CXXMethodDecl>(&kernel);
  return method && !method->getParent()->isUnion() && !method->getParent()->isEffectivelyFinal();
}

std::string address_of(const FunctionDecl& kernel) {
  const bool unnamed = kernel.isInAnonymousNamespace();
  return "&" + (unnamed ? std::string() : enclosing_qualifier(kernel)) + kernel.getNameAsString() +
         template_arguments(kernel);
}

std::string type_of_expression(const FunctionDecl& kernel, const std::string& expression) {
  return (kernel.getASTContext().getLangOpts().CPlusPlus11 ? "decltype(" : "__decltype(") + expression + ")";
}

std::string function_type(const FunctionDecl& kernel) {
  if (llvm::isa<CXXMethodDecl>(kernel)) return member_type(kernel);
  const std::string address = address_of(kernel);
  if (!is_overloaded(kernel)) return type_of_expression(kernel, address);
  ASTContext& context = kernel.getASTContext();
  const QualType plain = context.getFunctionTypeWithExceptionSpec(kernel.getType().getCanonicalType(),
                                                                  FunctionProtoType::ExceptionSpecInfo());
  return type_of_expression(
      kernel,
      "static_cast< " + context.getPointerType(plain).getAsString(spelling_policy(context)) + ">(" + address + ")");
}

}  // namespace hone::frontend
