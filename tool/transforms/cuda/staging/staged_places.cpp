#include "tool/transforms/cuda/staging/staged_places.h"

#include <algorithm>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/staging/block_value.h"

namespace hone::frontend {
namespace {

constexpr long long fewest = 16;  // elements an iteration that are worth two barriers

std::optional<long long> constant_value(const clang::ASTContext& ast, const clang::Expr* expression) {
  const auto value = IndexPolynomial::of(ast, expression);
  return value ? value->as_constant() : std::nullopt;
}

const clang::BinaryOperator* binary_with(const clang::Expr* expression, clang::BinaryOperatorKind kind) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression->IgnoreParenImpCasts());
  return binary && binary->getOpcode() == kind ? binary : nullptr;
}

// (a % m + m) % m or (m - a % m) % m, as raise_conditions writes: it lies within [0, m).
bool is_residue(const clang::ASTContext& ast, const clang::Expr* expression) {
  const auto* rest = binary_with(expression, clang::BO_Rem);
  const auto modulus = rest ? constant_value(ast, rest->getRHS()) : std::nullopt;
  if (!modulus || *modulus < 2) return false;
  const auto inner = [&](const clang::Expr* side) {
    const auto* again = binary_with(side, clang::BO_Rem);
    return again && constant_value(ast, again->getRHS()) == modulus;
  };
  if (const auto* sum = binary_with(rest->getLHS(), clang::BO_Add))
    return inner(sum->getLHS()) && constant_value(ast, sum->getRHS()) == modulus;
  const auto* difference = binary_with(rest->getLHS(), clang::BO_Sub);
  return difference && constant_value(ast, difference->getLHS()) == modulus && inner(difference->getRHS());
}

// The values that a loop's counter may take; nullopt: they are not known in numbers.
std::optional<StagedCounter> values_of(const clang::ASTContext& ast, const Loop& loop) {
  const auto first = loop.constant_lower(ast), trips = loop.constant_trips(ast);
  if (first && trips) return StagedCounter{&loop, 1, *first, loop.step, *trips};
  const auto upper = constant_value(ast, loop.upper);
  if (!upper || !is_residue(ast, loop.lower)) return std::nullopt;
  return StagedCounter{&loop, 1, 0, 1, *upper + (loop.inclusive ? 1 : 0)};
}

// Finds the places of a loop that can be staged.
class StagedPlaces {
 public:
  StagedPlaces(const KernelContext& context, LoopNest& nest, const Loop& loop)
      : context_(context), nest_(nest), loop_(loop), accesses_(accesses_in(context.ast, context.kernel->getBody())) {}

  std::vector<StagedPlace> find() {
    std::vector<StagedPlace> found;
    for (const Access& access : accesses_)
      if (holds(loop_.body, access.expression))
        if (auto place = read(access)) found.push_back(std::move(*place));
    return found;
  }

 private:
  std::optional<StagedPlace> read(const Access& access) {
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(access.expression->IgnoreParens());
    if (!element || access.writes || !access.member.empty() || !is_only_read(access.base)) return std::nullopt;
    if (!element->getType()->isArithmeticType() || element->getType().isVolatileQualified()) return std::nullopt;
    StagedPlace place{access.expression, plain_type(context_.ast, element->getType()), 0, {}, {}, {}};
    place.bytes = context_.ast.getTypeSizeInChars(element->getType()).getQuantity();
    BlockValue value(context_, nest_, loop_);
    if (place.type.empty() || !value.read(element->getIdx()) || !add_guards(loop_.body, place, value))
      return std::nullopt;
    place.locals = value.locals();
    // What the loop does not move belongs in front of it.
    if (!value.counters().contains(loop_.variable)) return std::nullopt;
    if (!add_counters(value, place) || place.elements() < fewest) return std::nullopt;
    return place;
  }

  // A parameter of the kernel that nothing is written through.
  bool is_only_read(const clang::ValueDecl* base) const {
    const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(base);
    return parameter && !writes_variable(context_.kernel->getBody(), parameter) &&
           std::ranges::none_of(accesses_, [&](const Access& access) { return access.writes && access.base == base; });
  }

  // False: whether the place is read is decided in a way that is not understood.
  bool add_guards(const clang::Stmt* around, StagedPlace& place, BlockValue& value) {
    if (around == place.expression) return true;
    for (const clang::Stmt* child : around->children()) {
      if (!child || !holds(child, place.expression)) continue;
      if (llvm::isa<clang::ConditionalOperator, clang::SwitchStmt>(around)) return false;
      const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(around);
      if (binary && binary->isLogicalOp()) return false;
      const auto* branch = llvm::dyn_cast<clang::IfStmt>(around);
      if (branch && child != branch->getCond()) add_guard(branch->getCond(), child == branch->getElse(), place, value);
      return add_guards(child, place, value);
    }
    return false;
  }

  void add_guard(const clang::Expr* test, bool negated, StagedPlace& place, BlockValue& value) {
    const auto* both = llvm::dyn_cast<clang::BinaryOperator>(test->IgnoreParenImpCasts());
    if (both && both->getOpcode() == (negated ? clang::BO_LOr : clang::BO_LAnd)) {
      add_guard(both->getLHS(), negated, place, value);
      add_guard(both->getRHS(), negated, place, value);
      return;
    }
    if (BlockValue trial = value; !trial.read(test)) return;  // reads in part what it does not understand
    value.read(test);
    place.guards.emplace_back(test, negated);
  }

  bool add_counters(const BlockValue& value, StagedPlace& place) {
    for (const Loop& loop : nest_.loops()) {
      const auto used = value.counters().find(loop.variable);
      if (used == value.counters().end() || &loop == &loop_) continue;
      if (!loop.counted || !holds(loop_.body, loop.statement)) continue;
      auto values = values_of(context_.ast, loop);
      if (!values || values->count < 1) return false;
      values->divisor = used->second;
      values->count = (values->count + values->divisor - 1) / values->divisor;
      place.counters.push_back(*values);
    }
    return place.counters.size() + 1 == value.counters().size();
  }

  const KernelContext& context_;
  LoopNest& nest_;
  const Loop& loop_;
  const std::vector<Access> accesses_;
};

}  // namespace

std::vector<StagedPlace> staged_places(const KernelContext& context, LoopNest& nest, const Loop& loop) {
  return StagedPlaces(context, nest, loop).find();
}

}  // namespace hone::frontend
