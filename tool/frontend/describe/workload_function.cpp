#include "tool/frontend/describe/workload_function.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <vector>

namespace hone::frontend {
namespace {

using namespace clang;

// hone::workload&, and in C and C++98 hone_workload *.
bool takes_workload(const FunctionDecl& function) {
  if (function.getNumParams() == 0) return false;
  const QualType type = function.getParamDecl(0)->getType();
  const bool cpp = workloads_are_cpp(function.getASTContext().getLangOpts());
  if (cpp ? !type->isLValueReferenceType() : !type->isPointerType()) return false;
  const RecordDecl* record = type->getPointeeType()->getAsRecordDecl();
  return record && record->getQualifiedNameAsString() == (cpp ? "hone::workload" : "hone_workload") &&
         !type->getPointeeType().isConstQualified();
}

std::string expected(const FunctionDecl& kernel, const std::string& name) {
  const bool cpp = workloads_are_cpp(kernel.getASTContext().getLangOpts());
  return "expected " +
         (cpp ? "void " + name + "(hone::workload& w" : "HONE_WORKLOAD void " + name + "(hone_workload *w") +
         ", …), with #include <hone/workload.h>";
}

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find("::", at), name.size());
    std::string part = name.substr(at, end - at);
    std::erase(part, ' ');
    parts.push_back(std::move(part));
    at = end + 2;
  }
  return parts;
}

std::vector<const NamedDecl*> found_in(const DeclContext& scope, const std::string& name, ASTContext& context) {
  std::vector<const NamedDecl*> found;
  const auto look_in = [&](const DeclContext& one) {
    for (const NamedDecl* declaration : one.getRedeclContext()->lookup(&context.Idents.get(name)))
      found.push_back(declaration->getUnderlyingDecl());
  };
  look_in(scope);
  // An unnamed namespace is one of them.
  for (const UsingDirectiveDecl* directive : scope.using_directives()) look_in(*directive->getNominatedNamespace());
  return found;
}

const DeclContext* as_scope(const NamedDecl* declaration) {
  if (const auto* alias = llvm::dyn_cast<NamespaceAliasDecl>(declaration)) return alias->getNamespace();
  if (const auto* type = llvm::dyn_cast<TypedefNameDecl>(declaration))
    return type->getUnderlyingType()->getAsCXXRecordDecl();
  return llvm::dyn_cast<DeclContext>(declaration);
}

// Members of the scope that the names before the last lead to.
std::vector<const NamedDecl*> descend(const DeclContext* scope, const std::vector<std::string>& parts,
                                      ASTContext& context) {
  std::vector<const NamedDecl*> found;
  for (std::size_t i = 0; scope && i < parts.size(); ++i) {
    found = found_in(*scope, parts[i], context);
    if (found.empty()) break;
    scope = as_scope(found.front());
  }
  return found;
}

}  // namespace

bool workloads_are_cpp(const LangOptions& language) {
  return language.CPlusPlus11;
}

std::variant<const FunctionDecl*, Mistake> find_workload(const FunctionDecl& kernel, const annotations::Name& name) {
  ASTContext& context = kernel.getASTContext();
  std::vector<std::string> parts = parts_of(name.text);
  const bool global = parts.size() > 1 && parts.front().empty();
  if (global) parts.erase(parts.begin());
  const DeclContext* scope = kernel.getDeclContext();
  if (global) scope = context.getTranslationUnitDecl();
  std::vector<const NamedDecl*> found;
  for (; scope && found.empty(); scope = scope->getParent()) found = descend(scope, parts, context);
  const auto wrong = [&](std::string why) {
    return Mistake{DiagnosticCode::workload_signature, name.location, "'" + name.text + "' " + std::move(why)};
  };
  if (found.empty())
    return Mistake{DiagnosticCode::workload_missing, name.location,
                   "no function '" + name.text + "' is declared in this file; " + expected(kernel, parts.back())};
  const FunctionDecl* taking = nullptr;
  for (const NamedDecl* one : found)
    if (const FunctionDecl* function = one->getAsFunction(); function && takes_workload(*function)) {
      if (taking) return wrong("names several functions; give the workload a name of its own");
      taking = function;
    }
  if (!taking) return wrong("does not take a workload; " + expected(kernel, parts.back()));
  if (const auto* method = llvm::dyn_cast<CXXMethodDecl>(taking); method && !method->isStatic())
    return wrong("is called on an object; make it static, or a function outside of the class");
  if (!taking->isDefined())
    return Mistake{
        DiagnosticCode::workload_missing, name.location,
        "'" + name.text + "' is only declared here; define it in this file, or in a header that it includes"};
  return taking;
}

}  // namespace hone::frontend
