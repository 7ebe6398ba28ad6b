#include "tool/transforms/code/launch_arguments.h"

#include <functional>

#include "tool/transforms/code/accesses.h"
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

namespace {

using ValueOf = std::function<std::optional<double>(const clang::ValueDecl*)>;

std::optional<double> evaluated(const KernelContext& context, const clang::Expr* expression, const ValueOf& value_of) {
  const auto polynomial = IndexPolynomial::of(context.ast, expression);
  if (!polynomial) return std::nullopt;
  double sum = 0;
  for (const auto& [variables, factor] : polynomial->terms()) {
    double product = static_cast<double>(factor);
    for (const clang::ValueDecl* variable : variables) {
      const auto value = value_of(variable);
      if (!value) return std::nullopt;
      product *= *value;
    }
    sum += product;
  }
  return sum;
}

}  // namespace

std::optional<double> value_in_launcher(const KernelContext& context, const clang::Expr* expression) {
  return evaluated(context, expression, [&](const clang::ValueDecl* variable) -> std::optional<double> {
    const auto values = problem_values(context.spec, variable->getNameAsString());
    return values.empty() || !llvm::isa<clang::ParmVarDecl>(variable) ? std::nullopt
                                                                      : std::optional<double>(values.front());
  });
}

std::optional<double> value_in_problem(const KernelContext& context, const clang::Expr* expression) {
  const auto launch = launch_of(context);
  if (!launch) return std::nullopt;
  return evaluated(context, expression, [&](const clang::ValueDecl* variable) -> std::optional<double> {
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
    const unsigned index = parameter ? parameter->getFunctionScopeIndex() : 0;
    if (!parameter || index >= launch->call->getNumArgs()) return std::nullopt;
    return value_in_launcher(context, launch->call->getArg(index));
  });
}

}  // namespace hone::frontend
