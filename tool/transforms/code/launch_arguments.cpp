#include "tool/transforms/code/launch_arguments.h"

#include <algorithm>
#include <cctype>
#include <functional>

#include "tool/frontend/parse/source_tokens.h"
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

// The kernel's parameter of the launcher's parameter of that name, where both are the same number all the time.
const clang::ParmVarDecl* handed_number(const KernelContext& context, const clang::CUDAKernelCallExpr& call,
                                        const std::string& name) {
  for (const clang::ParmVarDecl* parameter : context.kernel->parameters()) {
    const Parameter* annotated = annotated_parameter(context, parameter);
    if (!annotated || annotated->name != name || !parameter->getType()->isIntegerType()) continue;
    const clang::QualType given = call.getArg(parameter->getFunctionScopeIndex())->IgnoreParenImpCasts()->getType();
    if (parameter->getIdentifier() && context.ast.hasSameUnqualifiedType(parameter->getType(), given) &&
        !writes_variable(context.kernel->getBody(), parameter))
      return parameter;
  }
  return nullptr;
}

// What can be worked out for every value of the parameters: no division.
bool is_harmless(clang::tok::TokenKind kind) {
  using namespace clang;
  return kind == tok::plus || kind == tok::minus || kind == tok::star || kind == tok::lessless ||
         kind == tok::l_paren || kind == tok::r_paren;
}

bool is_decimal(const std::string& number) {
  return std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c); }) && number.size() < 10;
}

}  // namespace

std::optional<HandedExpression> handed_expression(const KernelContext& context, const std::string& text) {
  const auto launch = launch_of(context);
  const SourceTokens tokens(text, context.ast.getLangOpts());
  if (!launch) return std::nullopt;
  HandedExpression handed;
  int depth = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const clang::tok::TokenKind kind = tokens[at].kind;
    std::string here = tokens.spelling(at), there = here;
    if (kind == clang::tok::raw_identifier) {
      const clang::ParmVarDecl* parameter = handed_number(context, *launch->call, here);
      if (!parameter) return std::nullopt;
      there = parameter->getNameAsString();
      if (tokens.size() > 1)
        for (std::string* name : {&here, &there}) *name = "static_cast<long long>(" + *name + ")";
    } else if (kind == clang::tok::numeric_constant && is_decimal(here)) {
      here = there += "LL";
    } else if (!is_harmless(kind)) {
      return std::nullopt;
    }
    depth += kind == clang::tok::l_paren ? 1 : kind == clang::tok::r_paren ? -1 : 0;
    const bool operates = is_harmless(kind) && kind != clang::tok::l_paren && kind != clang::tok::r_paren;
    handed.in_launcher += operates ? " " + here + " " : here;
    handed.in_kernel += operates ? " " + there + " " : there;
  }
  return depth == 0 && tokens.size() > 0 ? std::optional(handed) : std::nullopt;
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
