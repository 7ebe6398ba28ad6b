#include "tool/frontend/parse/naming.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/PrettyPrinter.h>

#include <memory>
#include <vector>

#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/template_parameter.h"

namespace hone::frontend {

using namespace clang;

std::string qualified_name(const FunctionDecl& function) {
  PrintingPolicy policy = function.getASTContext().getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  std::string name;
  llvm::raw_string_ostream out(name);
  function.printQualifiedName(out, policy);
  return name + template_arguments(function);
}

std::string signature(const FunctionDecl& function) {
  const PrintingPolicy& policy = function.getASTContext().getPrintingPolicy();
  std::string text =
      function.getReturnType().getCanonicalType().getAsString(policy) + " " + qualified_name(function) + "(";
  for (const ParmVarDecl* parameter : function.parameters())
    text += (parameter == function.getParamDecl(0) ? "" : ", ") +
            parameter->getType().getCanonicalType().getUnqualifiedType().getAsString(policy);
  const auto* method = llvm::dyn_cast<CXXMethodDecl>(&function);
  return text + (method && method->isConst() ? ") const" : ")");
}

std::string mangled_name(const FunctionDecl& function) {
  std::unique_ptr<MangleContext> mangler(function.getASTContext().createMangleContext());
  if (!mangler->shouldMangleDeclName(&function)) return function.getNameAsString();
  std::string name;
  llvm::raw_string_ostream out(name);
  // A kernel has a second name, of what launches it on the host's side.
  mangler->mangleName(is_global(function) ? GlobalDecl(&function, KernelReferenceKind::Kernel) : GlobalDecl(&function),
                      out);
  return name;
}

std::string linker_name(const NamedDecl& declaration) {
  std::unique_ptr<MangleContext> mangler(declaration.getASTContext().createMangleContext());
  if (!mangler->shouldMangleDeclName(&declaration)) return declaration.getNameAsString();
  std::string name;
  llvm::raw_string_ostream out(name);
  if (const auto* constructor = llvm::dyn_cast<CXXConstructorDecl>(&declaration))
    mangler->mangleName(GlobalDecl(constructor, Ctor_Complete), out);
  else if (const auto* destructor = llvm::dyn_cast<CXXDestructorDecl>(&declaration))
    mangler->mangleName(GlobalDecl(destructor, Dtor_Complete), out);
  else if (const auto* function = llvm::dyn_cast<FunctionDecl>(&declaration))
    mangler->mangleName(GlobalDecl(function), out);
  else
    mangler->mangleName(GlobalDecl(llvm::cast<VarDecl>(&declaration)), out);
  return name;
}

std::string enclosing_qualifier(const FunctionDecl& function) {
  std::string qualifier = "::";
  std::vector<const NamespaceDecl*> spaces;
  for (const DeclContext* context = function.getDeclContext(); context; context = context->getParent())
    if (const auto* space = llvm::dyn_cast<NamespaceDecl>(context); space && !space->isAnonymousNamespace())
      spaces.insert(spaces.begin(), space);
  for (const NamespaceDecl* space : spaces) qualifier += space->getNameAsString() + "::";
  return qualifier;
}

std::string class_of(const CXXMethodDecl& method) {
  PrintingPolicy policy = method.getASTContext().getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  policy.SuppressTagKeyword = true;
  const std::string name = method.getASTContext().getRecordType(method.getParent()).getAsString(policy);
  return method.isInAnonymousNamespace() ? name : "::" + name;
}

std::string wanted(const KernelSpec& spec) {
  if (!spec.unit.definition.starts_with("template <>")) return "";
  return "the candidate must define the explicit specialization 'template <> " + spec.signature + "'";
}

std::string promises(const FunctionDecl& function) {
  std::string text;
  const auto promise = [&](bool holds, const char* word) {
    if (holds) text += (text.empty() ? "" : " ") + std::string(word);
  };
  promise(is_global(function), "__global__");
  promise(is_device(function), "__device__");
  promise(function.isInlined(), "inline");
  promise(function.isConstexpr(), "constexpr");
  const auto* type = function.getType()->getAs<FunctionProtoType>();
  promise(type && type->isNothrow(), "noexcept");
  for (unsigned i = 0; i < function.getNumParams(); ++i)
    promise(function.getParamDecl(i)->hasDefaultArg(), ("default-argument-" + std::to_string(i + 1)).c_str());
  return text;
}

}  // namespace hone::frontend
