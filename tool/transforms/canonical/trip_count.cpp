#include "tool/transforms/canonical/trip_count.h"

#include <algorithm>

#include "tool/transforms/calls/quiet.h"
#include "tool/transforms/canonical/operation.h"

namespace hone::frontend {
namespace {

using Kind = clang::OverloadedOperatorKind;

Kind opposite(Kind kind) {
  switch (kind) {
    case clang::OO_Less:
      return clang::OO_GreaterEqual;
    case clang::OO_LessEqual:
      return clang::OO_Greater;
    case clang::OO_Greater:
      return clang::OO_LessEqual;
    case clang::OO_GreaterEqual:
      return clang::OO_Less;
    case clang::OO_EqualEqual:
      return clang::OO_ExclaimEqual;
    case clang::OO_ExclaimEqual:
      return clang::OO_EqualEqual;
    default:
      return clang::OO_None;
  }
}

Kind turned_around(Kind kind) {
  switch (kind) {
    case clang::OO_Less:
      return clang::OO_Greater;
    case clang::OO_LessEqual:
      return clang::OO_GreaterEqual;
    case clang::OO_Greater:
      return clang::OO_Less;
    case clang::OO_GreaterEqual:
      return clang::OO_LessEqual;
    default:
      return kind;
  }
}

// The loop goes on while `value` is as `kind` says beside zero.
struct Test {
  LinearSum value;
  Kind kind = clang::OO_None;
};

// One of the conditions that all have to hold, and the walker that it asks.
struct Condition {
  const clang::Expr* asks = nullptr;
  bool ends = false;  // the loop goes on as long as it does not hold
  const Walker* driver = nullptr;
  const Use* asked = nullptr;  // the driver, in the condition
};

void add_conditions(const clang::Expr* condition, bool ends, std::vector<Condition>& all) {
  condition = as_operand(condition);
  const auto operation = operation_of(condition);
  if (operation.kind == clang::OO_Exclaim) return add_conditions(operation.left, !ends, all);
  if (operation.right && operation.kind == (ends ? clang::OO_PipePipe : clang::OO_AmpAmp)) {
    add_conditions(operation.left, ends, all);
    add_conditions(operation.right, ends, all);
  } else {
    all.push_back({condition, ends});
  }
}

// Each asks one walker, and of several none moves it: those behind the first are not always asked.
std::optional<std::vector<Condition>> conditions_of(const LoopParts& parts, const std::vector<Walker>& walkers) {
  std::vector<Condition> all;
  add_conditions(parts.condition, parts.ends_by_condition, all);
  for (Condition& condition : all) {
    for (const Walker& walker : walkers)
      for (const Use& use : walker.uses) {
        if (!use.in_condition || !holds(condition.asks, use.place)) continue;
        if (condition.driver || (use.step && all.size() > 1)) return std::nullopt;
        condition.driver = &walker;
        condition.asked = &use;
      }
    if (!condition.driver) return std::nullopt;
  }
  return all;
}

class TestReader {
 public:
  TestReader(const KernelContext& context, const Condition& condition, const KnownValues& known)
      : context_(context), condition_(condition), known_(known) {}

  std::optional<Test> read() const {
    Test test{{}, clang::OO_ExclaimEqual};
    const auto operation = operation_of(condition_.asks);
    if (operation.right && opposite(operation.kind) != clang::OO_None) {
      const auto left = side(operation.left), right = side(operation.right);
      if (!left || !right) return std::nullopt;
      test = {*left - *right, operation.kind};
    } else {
      const auto value = side(condition_.asks);
      if (!value || !condition_.asks->getType()->isIntegerType()) return std::nullopt;
      test.value = *value;
    }
    if (condition_.ends) test.kind = opposite(test.kind);
    return test;
  }

 private:
  // The driver as it is when it is asked is the unknown.
  std::optional<LinearSum> side(const clang::Expr* expression) const {
    const clang::Expr* whole = as_operand(expression);
    if (whole == condition_.asked->place) return LinearSum::unknown();
    if (const auto operation = operation_of(whole); operation.is_sum()) {
      const auto left = side(operation.left), right = side(operation.right);
      if (!left || !right) return std::nullopt;
      return operation.kind == clang::OO_Plus ? *left + *right : *left - *right;
    }
    return LinearSum::of(context_.ast, whole, [&](const clang::VarDecl* name) { return known_.of(name); });
  }

  const KernelContext& context_;
  const Condition& condition_;
  const KnownValues& known_;
};

// Asks a container that the loop leaves as long as it is.
bool asks_steady_container(const Loop& loop, const clang::CallExpr& call) {
  const auto* asks = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  const clang::VarDecl* container = asks ? named_variable(asks->getImplicitObjectArgument()) : nullptr;
  if (!container || !is_quiet(&call)) return false;
  for (const auto* other : all_of<clang::CallExpr>(loop.statement)) {
    const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(other);
    if (member && named_variable(member->getImplicitObjectArgument()) == container && !is_quiet(member)) return false;
    if (llvm::isa<clang::CXXOperatorCallExpr>(other)) continue;
    for (const clang::Expr* argument : other->arguments())
      if (named_variable(argument) == container) return false;
  }
  return true;
}

// Nothing in the condition but the driver changes while the loop runs.
bool is_steady_but(const Loop& loop, const clang::Expr* condition, const clang::VarDecl* driver) {
  const auto written = written_in(loop.statement);
  for (const auto* reference : all_of<clang::DeclRefExpr>(condition))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
        variable && variable != driver && (written.contains(variable) || declares(loop.body, variable)))
      return false;
  const auto reads_memory = [&](const clang::Expr* expression) {
    if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression)) {
      const auto kind = operation->getOperator();
      return kind == clang::OO_Call || kind == clang::OO_Subscript || kind == clang::OO_Arrow ||
             (kind == clang::OO_Star && operation->getNumArgs() == 1);
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return !asks_steady_container(loop, *call);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression))
      return llvm::isa<clang::FieldDecl>(member->getMemberDecl());
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
    return llvm::isa<clang::ArraySubscriptExpr>(expression) || (unary && unary->getOpcode() == clang::UO_Deref);
  };
  return std::ranges::none_of(all_of<clang::Expr>(condition), reads_memory);
}

std::string divided(const LinearSum& sum, long long by) {
  if (by == 1) return sum.text();
  const std::string text = sum.text();
  return (sum.is_one_name() || sum.is_number() ? text : "(" + text + ")") + " / " + std::to_string(by);
}

}  // namespace

std::optional<LinearSum> start_of(const KernelContext& context, const LoopParts& parts, const clang::VarDecl* variable,
                                  const KnownValues& known) {
  const auto meaning = [&](const clang::VarDecl* name) { return known.of(name); };
  if (const auto* assigned = llvm::dyn_cast_or_null<clang::Expr>(parts.start);
      assigned && writes_variable(assigned, variable)) {
    const auto operation = operation_of(assigned);
    if (operation.kind != clang::OO_Equal || named_variable(operation.left) != variable) return std::nullopt;
    return LinearSum::of(context.ast, operation.right, meaning);
  }
  if (const clang::Expr* value = known.of(variable))
    if (auto sum = LinearSum::of(context.ast, value, meaning)) return sum;
  return LinearSum::of(context.ast, variable);
}

namespace {

// How often one of the conditions holds.
std::optional<TripCount> count_by(const KernelContext& context, const LoopParts& parts, const Condition& condition,
                                  const KnownValues& known) {
  const Walker& driver = *condition.driver;
  auto test = TestReader(context, condition, known).read();
  const auto start = start_of(context, parts, driver.variable, known);
  if (!test || !start || !driver.each.is_number() || std::abs(test->value.factor_of_unknown()) != 1)
    return std::nullopt;
  LinearSum left = test->value.without_unknown();  // to go
  if (test->value.factor_of_unknown() < 0) {
    left = LinearSum::number(0) - left;
    test->kind = turned_around(test->kind);
  }
  left = left + *start + condition.asked->moved;
  if (driver.each.constant() > 0)
    left = LinearSum::number(0) - left;
  else
    test->kind = turned_around(test->kind);
  const long long step = std::abs(driver.each.constant());
  const bool exact = test->kind == clang::OO_ExclaimEqual;
  if (test->kind == clang::OO_LessEqual)
    left = left + LinearSum::number(1);
  else if (test->kind != clang::OO_Less && !exact)
    return std::nullopt;
  if (!left.is_count()) return std::nullopt;
  const LinearSum rounded = left + LinearSum::number((exact ? 0 : step - 1) + (parts.at_end ? step : 0));
  TripCount count{.drivers = {driver.variable}, .text = divided(rounded, step), .clamped = {}, .type = {}};
  count.type = left.type(context.ast);
  count.one_name = step == 1 && (rounded.is_one_name() || rounded.is_number());
  // Asked behind the body, it runs once at least.
  count.may_be_negative = !exact && (!left.is_size() || parts.at_end);
  count.clamped = count.may_be_negative ? left.taken_off() + " < " + left.added() + " ? " + count.text + " : " +
                                              (parts.at_end ? "1" : "0")
                                        : count.text;
  if (count.may_be_negative && (left.is_unsigned() || parts.at_end)) count.text = count.clamped;
  return count;
}

TripCount lesser(const clang::ASTContext& ast, const TripCount& one, const TripCount& other) {
  TripCount count = one;
  count.drivers.insert(count.drivers.end(), other.drivers.begin(), other.drivers.end());
  count.one_name = count.may_be_negative = false;
  const std::string left = "(" + one.clamped + ")", right = "(" + other.clamped + ")";
  if (ast.getTypeSize(other.type) > ast.getTypeSize(one.type)) count.type = other.type;
  count.text = count.clamped = left + " < " + right + " ? " + left + " : " + right;
  return count;
}

}  // namespace

std::optional<TripCount> trip_count_of(const KernelContext& context, const Loop& loop, const LoopParts& parts,
                                       const std::vector<Walker>& walkers, const KnownValues& known) {
  const auto conditions = conditions_of(parts, walkers);
  if (!conditions) return std::nullopt;
  std::optional<TripCount> least;
  for (const Condition& condition : *conditions) {
    const auto count = count_by(context, parts, condition, known);
    if (!count || !is_steady_but(loop, condition.asks, condition.driver->variable)) return std::nullopt;
    least = least ? lesser(context.ast, *least, *count) : *count;
  }
  return least;
}

}  // namespace hone::frontend
