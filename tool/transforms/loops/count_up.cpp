// A loop that counts down by one counts up, as the other transformations want it; its body sees the same values in the
// same order.
//
//   for (int j = n - 2; j >= 1; j--) x[j] = p[j] * x[j + 1];
//   → for (int j_up = 1; j_up <= n - 2; ++j_up) { const int j = n - 2 - (j_up - 1); x[j] = p[j] * x[j + 1]; }
#include <algorithm>

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

// From `high` down to `low`, both included where nothing is said.
struct Countdown {
  const clang::VarDecl* variable = nullptr;
  const clang::Expr *high = nullptr, *low = nullptr;
  bool below_high = false;  // for (i = n; i-- > 0;)
  bool above_low = false;
};

bool is_decrement_of(const clang::Expr* expression, const clang::VarDecl* variable) {
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression->IgnoreParenImpCasts());
  return unary && unary->isDecrementOp() && local_variable(unary->getSubExpr()) == variable;
}

bool lowers_by_one(const clang::ASTContext& ast, const clang::Expr* step, const clang::VarDecl* variable) {
  if (is_decrement_of(step, variable)) return true;
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(step->IgnoreParens());
  if (!assignment || assignment->getOpcode() != clang::BO_SubAssign) return false;
  clang::Expr::EvalResult by;
  return local_variable(assignment->getLHS()) == variable && assignment->getRHS()->EvaluateAsInt(by, ast) &&
         by.Val.getInt() == 1;
}

bool stays(const clang::Expr* bound, const Loop& loop) {
  return invariant_in(bound, loop) && bound->getType()->isIntegerType();
}

std::optional<Countdown> countdown_of(const clang::ASTContext& ast, const Loop& loop) {
  const clang::ForStmt* counting = loop.as_for();
  const auto* declared = counting ? llvm::dyn_cast_or_null<clang::DeclStmt>(counting->getInit()) : nullptr;
  if (loop.counted || !declared || !declared->isSingleDecl() || !counting->getCond()) return std::nullopt;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
  const auto* condition = llvm::dyn_cast<clang::BinaryOperator>(counting->getCond()->IgnoreParenImpCasts());
  if (!variable || !variable->hasInit() || !variable->getType()->isIntegerType() || !condition) return std::nullopt;
  Countdown countdown{variable, variable->getInit(), condition->getRHS()};
  countdown.above_low = condition->getOpcode() == clang::BO_GT;
  if (!countdown.above_low && condition->getOpcode() != clang::BO_GE) return std::nullopt;
  const auto* idiom = llvm::dyn_cast<clang::UnaryOperator>(condition->getLHS()->IgnoreParenImpCasts());
  countdown.below_high = idiom && idiom->isPostfix() && is_decrement_of(idiom, variable);
  if (countdown.below_high ? counting->getInc() || !countdown.above_low
                           : local_variable(condition->getLHS()) != variable || !counting->getInc() ||
                                 !lowers_by_one(ast, counting->getInc(), variable))
    return std::nullopt;
  // i-- > 0 looks at i in front of the step: zero is the last value that the body sees.
  if (countdown.below_high) countdown.above_low = false;
  const bool steady = stays(countdown.high, loop) && stays(countdown.low, loop);
  return steady && !writes_variable(loop.body, variable) ? std::optional(countdown) : std::nullopt;
}

std::vector<const Loop*> countdowns(const KernelContext& context, const LoopNest& nest) {
  std::vector<const Loop*> found;
  for (const Loop& loop : nest.loops())
    if (countdown_of(context.ast, loop)) found.push_back(&loop);
  return found;
}

// In parentheses where it is more than a name or a number.
std::string operand(const clang::ASTContext& ast, const clang::Expr* expression) {
  const std::string text = text_of(ast, expression);
  const bool closed = llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral>(expression->IgnoreImpCasts());
  return closed || text.empty() ? text : "(" + text + ")";
}

class CountUp final : public Transformation {
 public:
  std::string_view name() const override { return "count_up"; }

  unsigned sites(const KernelContext& context) const override {
    const LoopNest nest(context);
    return static_cast<unsigned>(countdowns(context, nest).size());
  }

  const clang::Stmt* place(const KernelContext& context, unsigned site) const override {
    const LoopNest nest(context);
    const auto found = countdowns(context, nest);
    return site < found.size() ? found[site]->statement : nullptr;
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>&) const override {
    const LoopNest nest(context);
    const auto found = countdowns(context, nest);
    if (site >= found.size()) return std::nullopt;
    const Loop& loop = *found[site];
    const Countdown countdown = *countdown_of(context.ast, loop);
    const std::string counter = countdown.variable->getNameAsString(), up = fresh_name(context, counter + "_up");
    const std::string type = plain_type(context.ast, countdown.variable->getType());
    const std::string high = operand(context.ast, countdown.high), low = operand(context.ast, countdown.low);
    const std::string body = text_of(context.ast, loop.body);
    if (type.empty() || high.empty() || low.empty() || body.empty()) return std::nullopt;
    const std::string first = countdown.above_low ? low + " + 1" : low;
    const std::string gone =
        first == "0" ? up : "(" + up + " - " + (countdown.above_low ? "(" + first + ")" : first) + ")";
    const std::string value = high + (countdown.below_high ? " - 1 - " : " - ") + gone;
    Edits edits(context);
    edits.replace(range_with_pragmas(context.ast, loop.statement),
                  "for (" + type + " " + up + " = " + first + "; " + up + (countdown.below_high ? " < " : " <= ") +
                      high + "; ++" + up + ") " +
                      braces("const " + type + " " + counter + " = " + value + ";\n" + body));
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_count_up() {
  return std::make_unique<CountUp>();
}

}  // namespace hone::frontend
