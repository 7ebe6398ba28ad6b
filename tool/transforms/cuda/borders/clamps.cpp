#include "tool/transforms/cuda/borders/clamps.h"

#include <algorithm>
#include <optional>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/device_kernel.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/borders/counter_ranges.h"

namespace hone::frontend {
namespace {

// Parentheses, and conversions that change no type (the temporaries of std::min's arguments).
const clang::Expr* without_conversions(const clang::Expr* expression) {
  while (true) {
    const clang::Expr* inner = expression->IgnoreParens();
    if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner))
      inner = temporary->getSubExpr();
    else if (const auto* full = llvm::dyn_cast<clang::FullExpr>(inner))
      inner = full->getSubExpr();
    else if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(inner);
             cast && (cast->getCastKind() == clang::CK_NoOp || cast->getCastKind() == clang::CK_LValueToRValue))
      inner = cast->getSubExpr();
    if (inner == expression) return inner;
    expression = inner;
  }
}

// Not a project's own function of that name.
bool is_library_call(const clang::ASTContext& ast, const clang::CallExpr& call, llvm::StringRef name) {
  const auto* function = call.getDirectCallee();
  return function && function->getIdentifier() && function->getName() == name && call.getNumArgs() == 2 &&
         ast.getSourceManager().isInSystemHeader(function->getLocation());
}

// A clamp without its texts: what must hold in each iteration.
struct Peeled {
  const clang::Expr* value = nullptr;
  std::vector<Comparison> comparisons;
};

class Finder {
 public:
  Finder(const KernelContext& context, const Loop& top) : ast_(context.ast), top_(top), ranges_(context, top) {}

  std::vector<Clamp> all() {
    const auto shared = [](const clang::VarDecl* one) { return one->isStaticLocal(); };
    if (!synchronizes(top_.statement) && std::ranges::none_of(declared_in(top_.statement), shared))
      look_into(top_.body);
    return std::move(found_);
  }

 private:
  void look_into(const clang::Stmt* statement) {
    if (!statement || llvm::isa<clang::LambdaExpr>(statement)) return;
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement))
      if (auto clamp = read(*expression)) return found_.push_back(std::move(*clamp));
    for (const clang::Stmt* child : statement->children()) look_into(child);
  }

  std::optional<Clamp> read(const clang::Expr& expression) {
    if (!llvm::isa<clang::CallExpr, clang::ConditionalOperator>(expression)) return std::nullopt;
    const Peeled peeled = peel(&expression);
    if (peeled.comparisons.empty() || !ranges_.is_linear(peeled.value, expression.getType()) ||
        text_of(ast_, peeled.value).empty())
      return std::nullopt;
    Clamp clamp{&expression, peeled.value, {}};
    for (const Comparison& one : peeled.comparisons) {
      if (!ranges_.is_of_thread(one.value) && !ranges_.is_of_thread(one.bound)) return std::nullopt;
      const auto tests = ranges_.tests_of(one);
      if (!tests) return std::nullopt;
      clamp.tests.insert(clamp.tests.end(), tests->begin(), tests->end());
    }
    return clamp;
  }

  // The expression itself where it is no clamp.
  Peeled peel(const clang::Expr* expression) const {
    expression = without_conversions(expression);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
      for (const bool smaller : {true, false})
        if (is_library_call(ast_, *call, smaller ? "min" : "max"))
          for (const unsigned which : {0u, 1u})
            if (ranges_.moves(call->getArg(which)) && !ranges_.moves(call->getArg(1 - which))) {
              Peeled inner = peel(call->getArg(which));
              inner.comparisons.push_back(
                  {inner.value, smaller ? clang::BO_LE : clang::BO_GE, without_conversions(call->getArg(1 - which))});
              return inner;
            }
    } else if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
      for (const bool holds : {false, true})
        if (auto chosen = peel(*choice, holds)) return *chosen;
    }
    return {expression, {}};
  }

  // A choice that the loops' inside makes the one way.
  std::optional<Peeled> peel(const clang::ConditionalOperator& choice, bool holds) const {
    std::vector<Comparison> comparisons;
    if (!add_comparisons(choice.getCond(), holds, comparisons)) return std::nullopt;
    const clang::Expr* other = holds ? choice.getFalseExpr() : choice.getTrueExpr();
    Peeled inner = peel(holds ? choice.getTrueExpr() : choice.getFalseExpr());
    if (!ranges_.moves(inner.value)) return std::nullopt;
    // Mirrored or wrapped around, both move: inside is where the value stays what was compared.
    if (ranges_.moves(other) && !std::ranges::all_of(comparisons, [&](const Comparison& one) {
          const auto compared = IndexPolynomial::of(ast_, one.value), value = IndexPolynomial::of(ast_, inner.value);
          return compared && value && *compared == *value;
        }))
      return std::nullopt;
    inner.comparisons.insert(inner.comparisons.end(), comparisons.begin(), comparisons.end());
    return inner;
  }

  // What holds where all of `condition` does, or nothing of it.
  bool add_comparisons(const clang::Expr* condition, bool holds, std::vector<Comparison>& found) const {
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    if (!binary) return false;
    if (binary->getOpcode() == (holds ? clang::BO_LAnd : clang::BO_LOr))
      return add_comparisons(binary->getLHS(), holds, found) && add_comparisons(binary->getRHS(), holds, found);
    if (!binary->isRelationalOp() || ranges_.moves(binary->getLHS()) == ranges_.moves(binary->getRHS())) return false;
    auto op = binary->getOpcode();
    if (!holds) op = clang::BinaryOperator::negateComparisonOp(op);
    if (ranges_.moves(binary->getLHS()))
      found.push_back({binary->getLHS(), op, binary->getRHS()});
    else
      found.push_back({binary->getRHS(), clang::BinaryOperator::reverseComparisonOp(op), binary->getLHS()});
    return true;
  }

  const clang::ASTContext& ast_;
  const Loop& top_;
  const CounterRanges ranges_;
  std::vector<Clamp> found_;
};

// Does an expression in its place need no parentheses, whatever it is?
bool stands_alone(const Loop& loop, const clang::Expr* whole) {
  const auto is_it = [&](const clang::Expr* one) { return one && one->IgnoreParenImpCasts() == whole; };
  return std::ranges::any_of(declared_in(loop.statement),
                             [&](const clang::VarDecl* one) { return is_it(one->getInit()); }) ||
         std::ranges::any_of(all_of<clang::ArraySubscriptExpr>(loop.statement),
                             [&](const clang::ArraySubscriptExpr* one) { return is_it(one->getIdx()); });
}

}  // namespace

std::vector<Clamp> clamps_in(const KernelContext& context, const Loop& loop) {
  return Finder(context, loop).all();
}

void take_off(Substitution& changes, const clang::ASTContext& ast, const Loop& loop, const std::vector<Clamp>& clamps) {
  for (const Clamp& clamp : clamps) {
    const std::string text = text_of(ast, clamp.value);
    changes.replace(clamp.whole, stands_alone(loop, clamp.whole) ? text : "(" + text + ")");
  }
}

}  // namespace hone::frontend
