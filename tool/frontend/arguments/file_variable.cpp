#include "tool/frontend/arguments/file_variable.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>

#include "tool/frontend/arguments/clause_text.h"
#include "tool/frontend/parse/template_parameter.h"

namespace hone::frontend {
namespace {

using namespace clang;

// In one scope, through the namespaces that the name walks.
const VarDecl* find_in(const DeclContext* where, ASTContext& context, const std::vector<std::string>& parts) {
  for (std::size_t part = 0; where && part < parts.size(); ++part) {
    const DeclContext* next = nullptr;
    for (const NamedDecl* found : where->getRedeclContext()->lookup(&context.Idents.get(parts[part]))) {
      const NamedDecl* meant = found->getUnderlyingDecl();
      if (const auto* variable = llvm::dyn_cast<VarDecl>(meant);
          variable && part + 1 == parts.size() && variable->hasGlobalStorage())
        return variable;
      if (llvm::isa<NamespaceDecl>(meant) || llvm::isa<CXXRecordDecl>(meant)) next = llvm::cast<DeclContext>(meant);
    }
    where = next;
  }
  return nullptr;
}

}  // namespace

const VarDecl* find_variable(const FunctionDecl& function, const std::vector<std::string>& tokens, std::size_t& at) {
  std::vector<std::string> parts;
  std::size_t i = at;
  if (i < tokens.size() && tokens[i] == "::") ++i;
  while (i < tokens.size() && is_identifier(tokens[i])) {
    parts.push_back(tokens[i++]);
    if (i + 1 >= tokens.size() || tokens[i] != "::") break;
    ++i;
  }
  if (parts.empty()) return nullptr;
  for (const DeclContext* scope = function.getDeclContext(); scope; scope = scope->getParent())
    if (const VarDecl* found = find_in(scope, function.getASTContext(), parts)) return at = i, found;
  return nullptr;
}

bool is_changeable(const VarDecl& variable) {
  const QualType type = variable.getType().getCanonicalType();
  return !variable.isConstexpr() && !type->isReferenceType() &&
         !variable.getASTContext().getBaseElementType(type).isConstQualified();
}

std::string name_from_outside(const VarDecl& variable) {
  const bool plain = variable.isInAnonymousNamespace() || !variable.getASTContext().getLangOpts().CPlusPlus;
  return plain ? variable.getNameAsString() : "::" + variable.getQualifiedNameAsString();
}

std::string missing_definition(const VarDecl& variable) {
  if (variable.hasDefinition()) return "";
  std::string text =
      spelled(variable.getType().getCanonicalType(), variable.getASTContext(), variable.getNameAsString()) + ";";
  for (const DeclContext* scope = variable.getDeclContext(); scope; scope = scope->getParent()) {
    if (const auto* space = llvm::dyn_cast<NamespaceDecl>(scope); space && !space->isAnonymousNamespace())
      text = "namespace " + space->getNameAsString() + " { " + text + " }";
    if (llvm::isa<LinkageSpecDecl>(scope)) text = "extern \"C\" { " + text + " }";
  }
  return text;
}

}  // namespace hone::frontend
