#include "tool/transforms/code/reduction_text.h"

#include <algorithm>

#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {

std::optional<std::vector<ReducedVariable>> reduced_variables(const clang::ASTContext& ast, const Loop& loop) {
  if (!loop.counted || effects_of(loop.body).leaves) return std::nullopt;
  std::vector<ReducedVariable> targets;
  auto known = [&](const clang::ValueDecl* variable) {
    return std::any_of(targets.begin(), targets.end(),
                       [&](const ReducedVariable& target) { return target.variable == variable; });
  };
  for (const Reduction& reduction : reductions_of(ast, loop)) {
    const clang::VarDecl* variable = reduction.variable;
    if (variable && variable->getType()->isArithmeticType() && !known(variable))
      targets.push_back({variable, reduction.kind});
  }
  // An array's elements are memory; whether iterations share them is not asked here.
  const bool carries_more = std::ranges::any_of(changed_from_outside(loop), [&](const clang::VarDecl* variable) {
    return variable != loop.variable && !known(variable);
  });
  return carries_more ? std::nullopt : std::optional(targets);
}

std::string neutral_value(ReductionKind kind, const std::string& running) {
  switch (kind) {
    case ReductionKind::product:
      return "1";
    case ReductionKind::minimum:
    case ReductionKind::maximum:
      return running;
    case ReductionKind::bit_and:
      return "~0";
    default:
      return "0";
  }
}

std::string fold(ReductionKind kind, const std::string& into, const std::string& value) {
  switch (kind) {
    case ReductionKind::product:
      return into + " *= " + value;
    case ReductionKind::minimum:
      return into + " = " + value + " < " + into + " ? " + value + " : " + into;
    case ReductionKind::maximum:
      return into + " = " + value + " > " + into + " ? " + value + " : " + into;
    case ReductionKind::bit_and:
      return into + " &= " + value;
    case ReductionKind::bit_or:
      return into + " |= " + value;
    case ReductionKind::bit_xor:
      return into + " ^= " + value;
    default:
      return into + " += " + value;
  }
}

}  // namespace hone::frontend
