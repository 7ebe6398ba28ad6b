#include "tool/transforms/code/launch_arguments.h"

#include "tool/transforms/code/clause_values.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

const Parameter* annotated_parameter(const KernelContext& context, const clang::ParmVarDecl* parameter) {
  const auto launch = launch_of(context);
  const unsigned index = parameter ? parameter->getFunctionScopeIndex() : 0;
  if (!launch || !parameter || index >= launch->call->getNumArgs()) return nullptr;
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(launch->call->getArg(index)->IgnoreParenImpCasts());
  const auto* handed = reference ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
  if (!handed || writes_variable(context.launcher->getBody(), handed)) return nullptr;
  return find_parameter(context.spec, handed->getNameAsString());
}

}  // namespace hone::frontend
