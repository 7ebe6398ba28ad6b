#include "tool/frontend/find/uncloned.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>

#include "tool/frontend/find/brought_out.h"

namespace hone::frontend {
namespace {

using namespace clang;

// Members that are defined in their class, and lambdas, are inline without a word of the user's.
bool says_inline(const FunctionDecl& function) {
  if (llvm::isa<CXXMethodDecl>(function)) return function.getFirstDecl()->isInlineSpecified();
  return function.isInlineSpecified() && !is_lambdas_function(function);
}

bool is_copied_on_purpose(const FunctionDecl& function, bool in_header) {
  return (says_inline(function) && !in_header) || function.isConstexpr() || function.hasAttr<AlwaysInlineAttr>() ||
         function.hasAttr<GNUInlineAttr>();
}

// `EXTERN_C void f()`: the attribute would stand in front of what the macro makes.
bool begins_with_macro_for_linkage(const FunctionDecl& function) {
  const auto* linkage = llvm::dyn_cast<LinkageSpecDecl>(function.getLexicalDeclContext());
  return linkage && !linkage->hasBraces() && linkage->getBeginLoc().isMacroID();
}

}  // namespace

std::string uncloned(const TranslationUnit& unit, const Attachment& attachment, bool in_header) {
  const FunctionDecl& function = *attachment.function;
  if (unit.parsed().language().CUDA || attachment.is_template || function.isTemplated()) return "";
  // Clones for several processors and one function for all callers exclude each other, to g++ and to Clang.
  if (is_copied_on_purpose(function, in_header) || begins_with_macro_for_linkage(function) ||
      function.hasAttr<TargetClonesAttr>() || function.hasAttr<TargetVersionAttr>())
    return "";
  return function.isOverloadedOperator() ? "operator" : function.getNameAsString();
}

}  // namespace hone::frontend
