#include "tool/transforms/cuda/own_kernels.h"

#include <algorithm>

#include "tool/frontend/parse/source_tokens.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

std::string_view main_text(const clang::ASTContext& ast) {
  const auto& sources = ast.getSourceManager();
  return sources.getBufferData(sources.getMainFileID());
}

std::size_t offset_of(const clang::ASTContext& ast, clang::SourceLocation location) {
  const auto& sources = ast.getSourceManager();
  return sources.getFileOffset(sources.getExpansionLoc(location));
}

bool in_main_file(const clang::ASTContext& ast, clang::SourceLocation location) {
  const auto& sources = ast.getSourceManager();
  return sources.getFileID(sources.getExpansionLoc(location)) == sources.getMainFileID();
}

const clang::FunctionDecl* definition_of(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = nullptr;
  return function && function->hasBody(definition) ? definition : nullptr;
}

// A copy that clashes with nobody's: a linkage of its own in place of what the original has. An unnamed namespace stays
// behind, so that what it made internal is static, too.
std::string internal(const clang::FunctionDecl* kernel, std::string text) {
  if (kernel->getStorageClass() == clang::SC_Static) return text;
  constexpr std::string_view linkage = "extern \"C\"";
  if (text.starts_with(linkage)) text.erase(0, linkage.size() + 1);
  return "static " + text;
}

}  // namespace

std::vector<const clang::FunctionDecl*> launched_kernels(const clang::ASTContext& ast,
                                                         const clang::FunctionDecl* launcher, std::size_t begin,
                                                         std::size_t end) {
  std::vector<const clang::FunctionDecl*> found;
  for (const auto* call : all_of<clang::CUDAKernelCallExpr>(launcher->getBody())) {
    const auto* kernel = definition_of(call->getDirectCallee());
    if (!kernel || kernel->isTemplateInstantiation() || !in_main_file(ast, kernel->getLocation())) continue;
    const std::size_t at = offset_of(ast, kernel->getLocation());
    if (at >= begin && at < end && std::find(found.begin(), found.end(), kernel) == found.end())
      found.push_back(kernel);
  }
  return found;
}

// Backwards over tokens: what a declaration starts with may be macros, attributes or a linkage, which Clang's own
// location of its start leaves out.
std::optional<TextRange> definition_range(const KernelContext& context, const clang::FunctionDecl* function) {
  const auto body = range_of(context.ast, function->getBody());
  if (!body) return std::nullopt;
  const SourceTokens tokens(main_text(context.ast), context.ast.getLangOpts());
  std::size_t first = tokens.at_or_after(offset_of(context.ast, function->getLocation()));
  while (first > 0) {
    const SourceToken& before = tokens[first - 1];
    if (before.directive || tokens.is(first - 1, ";") || tokens.is(first - 1, "}") || tokens.is(first - 1, "{")) break;
    --first;
  }
  return TextRange{tokens[first].begin, body->end};
}

std::optional<std::string> with_own_kernels(const KernelContext& context) {
  const auto kernels = launched_kernels(context.ast, context.kernel, 0, context.definition_begin);
  if (kernels.empty()) return std::nullopt;
  Edits edits(context);
  for (const clang::FunctionDecl* kernel : kernels) {
    const auto range = definition_range(context, kernel);
    if (!range) return std::nullopt;
    const std::string name = fresh_name(context, kernel->getNameAsString() + "_tuned");
    Substitution copy(context.ast);
    copy.replace_name(kernel, name);
    edits.helper(internal(kernel, copy.text(*range)) + "\n\n");
    for (const auto* reference : all_of<clang::DeclRefExpr>(context.kernel->getBody()))
      if (definition_of(llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl())) == kernel)
        edits.replace(range_of(context.ast, reference->getSourceRange()), name);
    if (copy.spoiled()) return std::nullopt;
  }
  return edits.candidate();
}

}  // namespace hone::frontend
