#include "tool/transforms/cuda/staging/walk_header.h"

#include <algorithm>

#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

const clang::VarDecl* counter_in(const clang::Expr* expression) {
  return expression ? local_variable(expression) : nullptr;
}

// ++t, t++, t += 1, --t, t--, t -= 1: 1 or -1; 0 for anything else.
int step_of(const clang::ASTContext& ast, const clang::Expr* increment, const clang::VarDecl* counter) {
  const clang::Expr* bare = increment->IgnoreParenImpCasts();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare)) {
    if (!unary->isIncrementDecrementOp() || counter_in(unary->getSubExpr()) != counter) return 0;
    return unary->isIncrementOp() ? 1 : -1;
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(bare);
  if (!binary || counter_in(binary->getLHS()) != counter) return 0;
  clang::Expr::EvalResult value;
  if (binary->getRHS()->isValueDependent() || !binary->getRHS()->EvaluateAsInt(value, ast) || value.Val.getInt() != 1)
    return 0;
  return binary->getOpcode() == clang::BO_AddAssign ? 1 : binary->getOpcode() == clang::BO_SubAssign ? -1 : 0;
}

// t-- in a condition.
const clang::UnaryOperator* counting_down(const clang::Expr* expression, const clang::VarDecl* counter) {
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression->IgnoreParenImpCasts());
  return unary && unary->getOpcode() == clang::UO_PostDec && counter_in(unary->getSubExpr()) == counter ? unary
                                                                                                        : nullptr;
}

class HeaderReader {
 public:
  HeaderReader(const clang::ASTContext& ast, const Loop& loop, Walk& walk) : ast_(ast), loop_(loop), walk_(walk) {}

  bool read() {
    const clang::ForStmt& statement = *walk_.statement;
    if (!statement.getCond() || statement.getConditionVariable() || !read_start(statement.getInit())) return false;
    const clang::QualType type = walk_.counter->getType();
    walk_.type = plain_type(ast_, type);
    if (walk_.type.empty() || !type->isIntegerType() || type->isBooleanType() || type.isVolatileQualified() ||
        writes_variable(loop_.body, walk_.counter))
      return false;
    if (!statement.getInc()) return read_count_down(*statement.getCond());
    const int step = step_of(ast_, statement.getInc(), walk_.counter);
    walk_.counts_down = step < 0;
    return step != 0 && read_conditions(statement.getCond());
  }

 private:
  bool read_start(const clang::Stmt* init) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(init);
    if (!declared || !declared->isSingleDecl()) return false;
    walk_.counter = llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
    walk_.start = walk_.counter ? walk_.counter->getInit() : nullptr;
    return walk_.start && !walk_.counter->getType().isConstQualified();
  }

  // for (int t = n; t-- > 0;), with or without the comparison
  bool read_count_down(const clang::Expr& condition) {
    walk_.counts_down = walk_.counts_first = true;
    const clang::Expr* bare = condition.IgnoreParenImpCasts();
    const clang::Expr* counted = bare;
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(bare);
    if (test) {
      if (test->getOpcode() != clang::BO_GT && test->getOpcode() != clang::BO_NE) return false;
      counted = test->getLHS();
    }
    const auto* down = counting_down(counted, walk_.counter);
    if (!down || (test && !stays(test->getRHS()))) return false;
    walk_.bounds.push_back({test ? test->getRHS() : nullptr, down->getSubExpr(), false});
    return true;
  }

  bool read_conditions(const clang::Expr* condition) {
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    if (!test) return false;
    if (test->getOpcode() == clang::BO_LAnd) return read_conditions(test->getLHS()) && read_conditions(test->getRHS());
    if (!test->isComparisonOp()) return false;
    auto operation = test->getOpcode();
    const clang::Expr *moving = test->getLHS(), *fixed = test->getRHS();
    if (!mentions(moving, walk_.counter)) {
      std::swap(moving, fixed);
      operation = clang::BinaryOperator::reverseComparisonOp(operation);
    }
    const bool inclusive = operation == clang::BO_LE || operation == clang::BO_GE;
    const bool right_way = walk_.counts_down ? operation == clang::BO_GT || operation == clang::BO_GE
                                             : operation == clang::BO_LT || operation == clang::BO_LE;
    if ((!right_way && operation != clang::BO_NE) || !moves_by_one(moving) || !stays(fixed)) return false;
    walk_.bounds.push_back(walk_.counts_down ? WalkBound{fixed, moving, inclusive}
                                             : WalkBound{moving, fixed, inclusive});
    return true;
  }

  bool moves_by_one(const clang::Expr* side) const {
    const auto value = side->getType()->isIntegerType() ? IndexPolynomial::of(ast_, side) : std::nullopt;
    const auto stride = value ? value->stride(walk_.counter) : std::nullopt;
    return stride && stride->as_constant() == 1 && invariant_but_counter(side);
  }

  bool invariant_but_counter(const clang::Expr* side) const {
    return std::ranges::all_of(all_of<clang::DeclRefExpr>(side), [&](const clang::DeclRefExpr* use) {
      return use->getDecl() == walk_.counter || !llvm::isa<clang::VarDecl>(use->getDecl()) ||
             (!declares(loop_.statement, use->getDecl()) && !writes_variable(loop_.statement, use->getDecl()));
    });
  }

  // Memory that a bound is read from is not what the loop writes.
  bool stays(const clang::Expr* side) const {
    if (!side->IgnoreParenImpCasts()->getType()->isIntegerType() || !invariant_in(side, loop_, false)) return false;
    const auto inside = accesses_in(ast_, side);
    const auto in_loop = accesses_in(ast_, loop_.body);
    return std::ranges::all_of(inside, [&](const Access& access) {
      return access.base && std::ranges::none_of(in_loop, [&](const Access& other) {
               return other.writes && (!other.base || other.base == access.base);
             });
    });
  }

  const clang::ASTContext& ast_;
  const Loop& loop_;
  Walk& walk_;
};

// A short loop between numbers: compilers unroll it.
bool is_written_out(const clang::ASTContext& ast, const Walk& walk) {
  constexpr long long longest = 32;
  const auto number = [&](const clang::Expr* expression) {
    const auto value = expression ? IndexPolynomial::of(ast, expression) : IndexPolynomial::constant(0);
    return value ? value->as_constant() : std::nullopt;
  };
  const auto start = number(walk.start), end = number(walk.counts_down ? walk.bounds[0].from : walk.bounds[0].to);
  return walk.bounds.size() == 1 && start && end && std::abs(*end - *start) <= longest;
}

}  // namespace

bool read_walk_header(const clang::ASTContext& ast, const Loop& loop, Walk& walk) {
  return HeaderReader(ast, loop, walk).read() && !is_written_out(ast, walk);
}

}  // namespace hone::frontend
