#include "tool/frontend/describe/reached_code.h"

#include <clang/Basic/SourceManager.h>

namespace hone::frontend {

using namespace clang;

void ReachedCode::walk(const FunctionDecl& function) {
  const FunctionDecl* definition = nullptr;
  if (function.hasBody(definition)) TraverseStmt(definition->getBody());
}

// What is the user's: bodies, and the values of variables.
bool ReachedCode::follow(ValueDecl* declaration) {
  if (!declaration) return true;
  reached(*declaration);
  if (context_.getSourceManager().isInSystemHeader(declaration->getLocation()) ||
      !seen_.insert(declaration->getCanonicalDecl()).second)
    return true;
  if (const auto* function = dyn_cast<FunctionDecl>(declaration)) walk(*function);
  if (const auto* variable = dyn_cast<VarDecl>(declaration))
    if (const Expr* value = variable->getAnyInitializer()) return TraverseStmt(const_cast<Expr*>(value));
  return true;
}

}  // namespace hone::frontend
