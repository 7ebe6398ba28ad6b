#include "tool/frontend/describe/attachment.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include "tool/frontend/parse/device_code.h"

namespace hone::frontend {
namespace {

using namespace clang;

constexpr const char* kNothing = "no function definition follows this annotation; put it directly above one";

std::string why_not(const Item& item) {
  const Decl* first = item.declarations.front();
  if (const FunctionDecl* function = first->getAsFunction())
    if (!function->doesThisDeclarationHaveABody())
      return "'" + function->getNameAsString() +
             "' is only declared here; put the annotation directly above its definition";
  if (llvm::isa<TagDecl>(first))
    return "the annotation stands above a type; put it directly above a function's definition";
  if (llvm::isa<VarDecl>(first))
    return "the annotation stands above a variable that holds no lambda; put it directly above a function's definition";
  return kNothing;
}

// "" when the function is of a kind that can be tuned.
std::string unsupported(const FunctionDecl& function) {
  if (is_device(function))
    return "'" + function.getNameAsString() +
           "' is called by device code, so it cannot be judged by itself; annotate the __global__ kernel, or the host "
           "function that launches it";
  if (llvm::isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(function))
    return "'" + function.getQualifiedNameAsString() +
           "' makes, ends or converts objects, which cannot be tuned; annotate a function that it calls";
  if (!function.getASTContext().getLangOpts().CPlusPlus && function.isInlined() && function.isExternallyVisible() &&
      !function.isInlineDefinitionExternallyVisible() &&
      (function.getASTContext().getLangOpts().GNUInline || function.hasAttr<GNUInlineAttr>()))
    return "'" + function.getNameAsString() +
           "' is 'extern inline' of gnu89, which is only used where it is inlined, and defined again elsewhere; make "
           "it "
           "static inline";
  if (function.isMain()) return "main() cannot be tuned; move the hot loop into a function of its own";
  if (function.isConsteval()) return "a consteval function never runs in the program, so it cannot be tuned";
  if (function.isVariadic())
    return "a function with '...' cannot be tuned; move the loop into a function that takes plain arrays and scalars";
  if (function.getLocation().isMacroID() || function.getBody()->getBeginLoc().isMacroID() ||
      function.getBody()->getEndLoc().isMacroID())
    return "a function that several macros make together cannot be tuned, as there is no text to replace; write its "
           "definition out";
  return "";
}

}  // namespace

std::variant<Attachment, Mistake> attach(const Annotation& annotation, const TranslationUnit& unit,
                                         const Outline& outline) {
  const auto none = [&](std::string why) {
    return Mistake{DiagnosticCode::no_function, annotation.location, std::move(why)};
  };
  const SourceTokens& tokens = unit.tokens();
  const std::size_t token = outline.behind_operators(outline.active_token(annotation.end));
  if (token >= tokens.size()) return none(kNothing);
  const int index = outline.item_at(tokens[token].begin);
  if (index < 0) return none(kNothing);
  const Item& item = outline.items()[static_cast<std::size_t>(index)];
  if (item.begin != tokens[token].begin) {
    if (llvm::isa<CXXRecordDecl, ClassTemplateDecl>(item.declarations.front()))
      return none("");  // find/brought_out.h has spoken of it
    return none(
        "the annotation stands inside a declaration, and above no lambda that is stored in a variable; put it at file "
        "scope, directly above a function's definition");
  }
  const FunctionDecl* function = item.declarations.front()->getAsFunction();
  if (!function || !function->doesThisDeclarationHaveABody() || item.declarations.size() != 1)
    return none(why_not(item));
  if (std::string reason = unsupported(*function); !reason.empty())
    return Mistake{DiagnosticCode::function_kind, annotation.location, std::move(reason)};
  return Attachment{function, function->isDependentContext(), index, item.begin, item.end};
}

}  // namespace hone::frontend
