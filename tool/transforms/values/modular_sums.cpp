#include "tool/transforms/values/modular_sums.h"

#include <algorithm>
#include <utility>

#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

using Found = std::optional<ResidueBound>;

Found sum(const ResidueBound& a, const ResidueBound& b) {
  ResidueBound both;
  if (__builtin_add_overflow(a.factor, b.factor, &both.factor) ||
      __builtin_add_overflow(a.addend, b.addend, &both.addend))
    return std::nullopt;
  return both;
}

Found times(const ResidueBound& bound, std::uint64_t number) {
  ResidueBound product;
  if (__builtin_mul_overflow(bound.factor, number, &product.factor) ||
      __builtin_mul_overflow(bound.addend, number, &product.addend))
    return std::nullopt;
  return product;
}

// nullopt: more than 64 bits say.
std::optional<std::uint64_t> value_at(const ResidueBound& bound, std::uint64_t residue) {
  std::uint64_t value = 0;
  if (__builtin_mul_overflow(bound.factor, residue, &value) || __builtin_add_overflow(value, bound.addend, &value))
    return std::nullopt;
  return value;
}

bool is_same(const clang::ASTContext& ast, const clang::Expr* one, const clang::Expr* other) {
  llvm::FoldingSetNodeID a, b;
  one->IgnoreParenImpCasts()->Profile(a, ast, true);
  other->IgnoreParenImpCasts()->Profile(b, ast, true);
  return a == b;
}

// What stands below parentheses and conversions to integers, and the largest number that all of these leave alone.
struct Unconverted {
  const clang::Expr* expression = nullptr;
  std::uint64_t largest = UINT64_MAX;
};

Unconverted unconverted(const clang::ASTContext& ast, const clang::Expr* expression) {
  Unconverted found{expression->IgnoreParens()};
  while (const auto* cast = llvm::dyn_cast<clang::CastExpr>(found.expression)) {
    const clang::QualType type = cast->getType();
    if (!type->isIntegerType() || type->isEnumeralType()) break;
    found.largest = std::min(found.largest, largest_of(ast, type));
    found.expression = cast->getSubExpr()->IgnoreParens();
  }
  return found;
}

const clang::BinaryOperator* operation(const clang::Expr* expression, clang::BinaryOperatorKind kind) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
  return binary && binary->getOpcode() == kind ? binary : nullptr;
}

// Whatever it holds, as it is.
bool is_bare(const clang::ASTContext& ast, const clang::Expr* expression, const clang::VarDecl* variable) {
  const Unconverted found = unconverted(ast, expression);
  return local_variable(found.expression) == variable && largest_of(ast, variable->getType()) <= found.largest;
}

// Does the function assign the variable elsewhere?
bool is_set_outside(const clang::Stmt* function, const clang::Stmt* loop, const clang::VarDecl* variable) {
  const auto sets = [&](const clang::Stmt* node, const clang::Expr* target) {
    return local_variable(target->IgnoreParenCasts()) == variable && !holds(loop, node);
  };
  return std::ranges::any_of(
             all_of<clang::BinaryOperator>(function),
             [&](const clang::BinaryOperator* one) { return one->isAssignmentOp() && sets(one, one->getLHS()); }) ||
         std::ranges::any_of(all_of<clang::UnaryOperator>(function), [&](const clang::UnaryOperator* one) {
           return one->isIncrementDecrementOp() && sets(one, one->getSubExpr());
         });
}

}  // namespace

std::uint64_t largest_of(const clang::ASTContext& ast, clang::QualType type) {
  if (type->isBooleanType()) return 1;
  const auto bits = ast.getTypeSize(type) - (type->isUnsignedIntegerOrEnumerationType() ? 0 : 1);
  return bits >= 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
}

ModularSums::ModularSums(const KernelContext& context, const Loop& loop)
    : context_(context), loop_(loop), intervals_(context.ast, context.kernel), stable_(context) {
  if (!loop.counted || !loop.innermost() || loop.step != 1) return;
  const Effects effects = effects_of(loop.body);
  if (effects.leaves || effects.continues || effects.calls_unknown) return;
  written_ = written_in(context.kernel->getBody());
  if (!find()) sums_.clear();
}

bool ModularSums::find() {
  for (const clang::Stmt* statement : statements_of(loop_.body)) {
    const auto step = step_of(statement);
    steps_.push_back(step.value_or(Step{statement}));
    if (step && step->reduces && std::ranges::count(sums_, step->sum) == 0) sums_.push_back(step->sum);
  }
  if (sums_.empty()) return false;
  for (Step& step : steps_)
    if (std::ranges::count(sums_, step.sum) == 0) step = Step{step.statement};
  const bool others_keep_off =
      std::ranges::none_of(steps_, [&](const Step& step) { return !step.sum && mentions_sums(step.statement); });
  if (!others_keep_off) return false;
  for (auto* sum : sums_) set_start(sum);
  return never_wraps();
}

bool ModularSums::is_eligible(const clang::VarDecl* variable) const {
  return variable && variable->getType()->isIntegerType() && !variable->getType()->isBooleanType() &&
         !variable->getType()->isEnumeralType() && !variable->getType().isVolatileQualified() &&
         context_.ast.getTypeSize(variable->getType()) <= 64 && stable_.is_private(variable) &&
         !plain_type(context_.ast, variable->getType()).empty() && !declares(loop_.statement, variable) &&
         !has_another_name(variable, context_.kernel->getBody());
}

std::optional<ModularSums::Step> ModularSums::step_of(const clang::Stmt* statement) {
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) return step_of_branch(*branch);
  const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  if (expression) expression = expression->IgnoreParens();
  const auto* assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(expression);
  if (!assignment || !assignment->isAssignmentOp()) return std::nullopt;
  auto step = step_of_assignment(*assignment);
  if (step) step->statement = statement;
  return step;
}

std::optional<ModularSums::Step> ModularSums::step_of_assignment(const clang::BinaryOperator& assignment) {
  Step step{.sum = local_variable(assignment.getLHS())};
  if (!is_eligible(step.sum)) return std::nullopt;
  const clang::Expr* value = assignment.getRHS();
  if (assignment.getOpcode() == clang::BO_AddAssign) {
    step.adds = true;
    step.value = value;
    return step;
  }
  if (assignment.getOpcode() == clang::BO_RemAssign && is_modulus(value)) {
    step.reduces = true;
    return step;
  }
  if (assignment.getOpcode() != clang::BO_Assign || !mentions(value, step.sum)) return std::nullopt;
  const Unconverted set = unconverted(context_.ast, value);
  if (const auto* remainder = operation(set.expression, clang::BO_Rem)) {
    if (!is_modulus(remainder->getRHS()) || !stays_within({1, 0}, set.largest)) return std::nullopt;
    step.reduces = true;
    value = remainder->getLHS();
    if (is_bare(context_.ast, value, step.sum)) return step;
  }
  step.value = value;
  return step;
}

// if (sum >= m) sum -= m;
std::optional<ModularSums::Step> ModularSums::step_of_branch(const clang::IfStmt& branch) {
  if (branch.getElse() || branch.hasInitStorage() || branch.getConditionVariable()) return std::nullopt;
  const auto inside = statements_of(branch.getThen());
  const auto* assignment = inside.size() == 1 ? llvm::dyn_cast<clang::BinaryOperator>(inside[0]) : nullptr;
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(branch.getCond()->IgnoreParenImpCasts());
  if (!assignment || !assignment->isAssignmentOp() || !test) return std::nullopt;
  Step step{.statement = &branch, .sum = local_variable(assignment->getLHS()), .reduces = true, .subtracts = true};
  const bool above = test->getOpcode() == clang::BO_GE, below = test->getOpcode() == clang::BO_LE;
  const clang::Expr *left = test->getLHS(), *right = test->getRHS();
  if (below) std::swap(left, right);
  if (!(above || below) || !is_eligible(step.sum) || !is_bare(context_.ast, left, step.sum) || !is_modulus(right))
    return std::nullopt;
  const clang::Expr* taken = assignment->getRHS();
  const Unconverted set = unconverted(context_.ast, taken);
  const auto* difference = operation(set.expression, clang::BO_Sub);
  if (assignment->getOpcode() == clang::BO_Assign && difference &&
      is_bare(context_.ast, difference->getLHS(), step.sum))
    return is_modulus(difference->getRHS()) && stays_within({1, 0}, set.largest) ? std::optional(step) : std::nullopt;
  if (assignment->getOpcode() != clang::BO_SubAssign && assignment->getOpcode() != clang::BO_RemAssign)
    return std::nullopt;
  step.subtracts = assignment->getOpcode() == clang::BO_SubAssign;
  return is_modulus(taken) ? std::optional(step) : std::nullopt;
}

// One and the same for all sums: a constant, or what stays the same while the loop runs.
bool ModularSums::is_modulus(const clang::Expr* expression) {
  const auto value = intervals_.of(expression);
  const bool constant = value && value->low == value->high;
  if (constant && value->low < 2) return false;
  if (modulus_) {
    return constant == constant_.has_value() && (constant ? *constant_ == static_cast<std::uint64_t>(value->low)
                                                          : is_same(context_.ast, modulus_, expression));
  }
  const clang::QualType type = expression->IgnoreParenImpCasts()->getType();
  if (!type->isIntegerType() || type->isEnumeralType() || context_.ast.getTypeSize(type) > 64) return false;
  if (!constant && (!stable_.holds(expression) || !invariant_in(expression, loop_) || may_trap(expression)))
    return false;
  modulus_ = expression;
  if (constant) constant_ = static_cast<std::uint64_t>(value->low);
  return true;
}

bool ModularSums::mentions_sums(const clang::Stmt* statement) {
  const auto [known, is_new] = mentioning_.emplace(statement, false);
  if (is_new) known->second = std::ranges::any_of(sums_, [&](auto* one) { return mentions(statement, one); });
  return known->second;
}

// Where nothing but the loop sets it, it begins with its first value or with what an earlier run of the loop left.
// First values of twice the modulus or more, or of the modulus where that is subtracted, are asked for in front of the
// loop instead.
void ModularSums::set_start(const clang::VarDecl* sum) {
  if (!constant_ || llvm::isa<clang::ParmVarDecl>(sum) || !sum->getInit()) return;
  if (is_set_outside(context_.kernel->getBody(), loop_.statement, sum)) return;
  const auto first = intervals_.of(sum->getInit());
  const bool subtracts = std::ranges::any_of(steps_, &Step::subtracts);  // from less than twice the modulus
  if (first && first->low >= 0 && static_cast<std::uint64_t>(first->high) / (subtracts ? 1 : 2) < *constant_)
    starts_[sum] = std::max(static_cast<std::uint64_t>(first->high), *constant_ - 1);
}

ResidueBound ModularSums::start_of(const clang::VarDecl* sum) const {
  const auto known = starts_.find(sum);
  return known == starts_.end() ? ResidueBound{1, 0} : ResidueBound{0, known->second};
}

// One iteration as it is, from the greatest values that the sums may begin with.
bool ModularSums::never_wraps() {
  Bounds bounds;
  for (auto* sum : sums_) bounds[sum] = start_of(sum);
  for (const Step& step : steps_) {
    if (!step.sum) continue;
    auto& bound = bounds[step.sum];
    const std::uint64_t all = largest_of(context_.ast, step.sum->getType());
    if (step.value) {
      const auto value = bound_of(step.value, bounds, true);
      const auto whole = value && step.adds ? frontend::sum(bound, *value) : value;
      if (!whole || (!step.reduces && !stays_within(*whole, all))) return false;
      bound = *whole;
    }
    if (!step.reduces) continue;
    if (step.subtracts && !is_below_twice(bound)) return false;
    bound = {1, 0};
    if (!stays_within(bound, all)) return false;
  }
  return std::ranges::all_of(bounds, [](const auto& one) { return one.second.factor == 1 && one.second.addend == 0; });
}

bool ModularSums::stays_within(const ResidueBound& bound, std::uint64_t most) {
  if (bound.addend > most) return false;
  if (constant_) return value_at(bound, *constant_ - 1).value_or(UINT64_MAX) <= most;
  if (bound.factor > 0) largest_ = std::min(largest_, (most - bound.addend) / bound.factor);
  return true;
}

// Then one subtraction is a remainder.
bool ModularSums::is_below_twice(const ResidueBound& bound) {
  if (constant_) {
    const auto value = value_at(bound, *constant_ - 1);
    return value && *value / 2 <= *constant_ - 1;
  }
  if (bound.factor > 2 || (bound.factor == 2 && bound.addend > 1)) return false;
  if (bound.factor < 2 && bound.addend > 1) least_ = std::max(least_, bound.addend - 1);
  return true;
}

std::optional<ResidueBound> ModularSums::bound_of(const clang::Expr* expression, const Bounds& bounds, bool check) {
  if (mentions_sums(expression)) return bound_of_sums(expression, bounds, check);
  const auto known = known_of_others_.find(expression);
  return known != known_of_others_.end() ? known->second : known_of_others_[expression] = bound_of_others(expression);
}

std::optional<ResidueBound> ModularSums::bound_of_sums(const clang::Expr* expression, const Bounds& bounds,
                                                       bool check) {
  expression = expression->IgnoreParens();
  Found bound;
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    if (!cast->getType()->isIntegerType()) return std::nullopt;
    bound = bound_of_sums(cast->getSubExpr(), bounds, check);
    if (llvm::isa<clang::ExplicitCastExpr>(cast))
      largest_converted_ = std::min(largest_converted_, largest_of(context_.ast, cast->getType()));
  } else if (const auto* reference = local_variable(expression)) {
    const auto known = bounds.find(reference);
    if (known != bounds.end()) bound = known->second;
  } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    const auto left = bound_of(binary->getLHS(), bounds, check), right = bound_of(binary->getRHS(), bounds, check);
    if (!left || !right) return std::nullopt;
    if (binary->getOpcode() == clang::BO_Add) bound = frontend::sum(*left, *right);
    if (binary->getOpcode() == clang::BO_Mul && right->factor == 0) bound = times(*left, right->addend);
    if (binary->getOpcode() == clang::BO_Mul && right->factor > 0 && left->factor == 0)
      bound = times(*right, left->addend);
  }
  const bool fits = bound && (!check || stays_within(*bound, largest_of(context_.ast, expression->getType())));
  return fits ? bound : std::nullopt;
}

// What the sums are no part of: remainders by the same number, or what types say.
std::optional<ResidueBound> ModularSums::bound_of_others(const clang::Expr* expression, unsigned depth) {
  constexpr unsigned most = 6;
  if (!expression->getType()->isIntegerType()) return std::nullopt;
  const clang::Expr* bare = expression->IgnoreParenImpCasts();
  const auto* remainder = constant_ ? nullptr : operation(bare, clang::BO_Rem);
  if (remainder && is_modulus(remainder->getRHS())) {
    const auto divided = intervals_.of(remainder->getLHS());
    if (remainder->getLHS()->getType()->isUnsignedIntegerType() || (divided && divided->low >= 0))
      return ResidueBound{1, 0};
  }
  const clang::VarDecl* named = local_variable(bare);
  if (named && declares(loop_.statement, named) && !written_.contains(named) && named->getInit() && depth < most) {
    const auto bound = bound_of_others(named->getInit(), depth + 1);
    if (bound && stays_within(*bound, largest_of(context_.ast, named->getType()))) return bound;
  }
  const auto* added = constant_ ? nullptr : operation(bare, clang::BO_Add);
  if (added) {
    const auto left = bound_of_others(added->getLHS(), depth), right = bound_of_others(added->getRHS(), depth);
    const auto bound = left && right ? frontend::sum(*left, *right) : std::nullopt;
    if (bound && bound->factor > 0 && stays_within(*bound, largest_of(context_.ast, added->getType()))) return bound;
  }
  const auto interval = intervals_.of(expression);
  if (!interval || interval->low < 0) return std::nullopt;
  return ResidueBound{0, static_cast<std::uint64_t>(interval->high)};
}

// No remainder taken.
std::optional<ModularSums::Bounds> ModularSums::after_iteration(Bounds bounds) {
  for (const Step& step : steps_) {
    if (!step.value) continue;
    const auto value = bound_of(step.value, bounds, false);
    const auto whole = value && step.adds ? frontend::sum(bounds[step.sum], *value) : value;
    if (!whole) return std::nullopt;
    bounds[step.sum] = *whole;
  }
  return bounds;
}

// nullopt: for no modulus.
std::optional<std::uint64_t> ModularSums::largest_for(const Bounds& bounds, std::uint64_t most) const {
  std::uint64_t largest = constant_ ? *constant_ - 1 : largest_;
  for (const auto& [sum, bound] : bounds) {
    if (bound.addend > most) return std::nullopt;
    if (bound.factor > 0) largest = std::min(largest, (most - bound.addend) / bound.factor);
  }
  return largest;
}

ModularSums::Block ModularSums::block(std::uint64_t most, std::uint64_t longest) {
  // Smaller ones would send too many calls to the loop as it is. Sums of 64 bits bear all of 32.
  const std::uint64_t of_type = modulus_ ? largest_of(context_.ast, modulus_->IgnoreParenImpCasts()->getType()) - 1 : 0,
                      usual = most > UINT32_MAX ? UINT32_MAX : (1U << 18) - 1,
                      wanted = constant_ ? *constant_ - 1 : std::min(of_type, usual);
  Block block;
  Bounds bounds;
  for (auto* sum : sums_) bounds[sum] = start_of(sum);
  while (block.iterations < longest) {
    auto next = after_iteration(bounds);
    const auto largest = next ? largest_for(*next, most) : std::nullopt;
    if (!largest || *largest < std::min(wanted, largest_)) break;
    bounds = std::move(*next);
    ++block.iterations;
    block.largest_modulus = *largest == UINT64_MAX ? UINT64_MAX : *largest + 1;
  }
  return block;
}

}  // namespace hone::frontend
