// Index-set splitting: a loop whose body compares its own index with the loop's bounds is run in three parts, so that
// in the middle one those tests are known and vanish. Borders run the body as it was.
//
//   for x in [0,w) { if (x > 0 && x < w-1) A else B }  →  [0,1) as it was, [1,w-1) A, [w-1,w) as it was
//
// Loops inside are split too, in the middle part. Inner loops over few constants (dx = -1..1) count as ranges.
#include <algorithm>
#include <map>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/known_conditions.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

struct Range {
  long long low = 0, high = 0;
};

// `difference` op 0, true for exactly v < threshold (`below`), where threshold lies `offset` from the loop's low or
// high end.
struct Test {
  const clang::Expr* node = nullptr;
  IndexPolynomial difference;
  bool strict = true;    // d < 0; else d <= 0
  bool negated = false;  // the node says the opposite
  bool equal = false;    // d == 0 instead
  bool is_unsigned = false;
  bool KnownConditions::Clamp::*part =
      nullptr;  // of a std::clamp, which part it says; it holds where the part does not
};

class Splitter {
 public:
  Splitter(const KernelContext& context, LoopNest& nest, const Loop& loop, KnownConditions known)
      : context_(context), nest_(nest), loop_(loop), known_(std::move(known)) {}

  // Decides what it can; false: nothing.
  bool decide() {
    if (!loop_.counted || loop_.step != 1) return false;
    auto low = IndexPolynomial::of(context_.ast, loop_.lower), high = IndexPolynomial::of(context_.ast, loop_.upper);
    if (!low || !high) return false;
    low_ = *low;
    high_ = loop_.inclusive ? *high + IndexPolynomial::constant(1) : *high;
    // What is known of one test may tell what another one asks.
    bool any = false;
    for (bool grew = true; grew; any |= grew) {
      grew = false;
      for (const Test& test : tests()) grew |= decide(test);
    }
    return any;
  }

  // The body once, as a function of where its part begins and ends, and of whether the tests are known there:
  //   part = [&](int from, int to, bool x_inside) { for x in [from,to) { if (x_inside || x > 0) … } };
  // `flagged`: what tests of the loops around became. nullopt: nothing is decided, or the text has to be written out.
  std::optional<std::string> text_once(std::map<const clang::Stmt*, std::string> flagged = {}) {
    const auto around = known_.facts;
    const auto clamped_around = known_.clamps;
    const bool decided = decide();
    if (is_c(context_.ast) || (decided && cut_low_ == 0 && cut_high_ == 0)) return std::nullopt;
    const std::string stem = loop_.variable->getNameAsString(), inside = fresh_name(context_, stem + "_inside");
    for (const auto& [test, value] : known_.facts)
      if (!around.contains(test)) flagged[test] = unless(inside, test, value);
    for (const auto& [call, clamp] : known_.clamps) {
      const auto before = clamped_around.find(call);
      if (clamp.yields_value() && (before == clamped_around.end() || !before->second.yields_value()))
        flagged[call] = "(" + inside + " ? " + text_of(context_.ast, llvm::cast<clang::CallExpr>(call)->getArg(0)) +
                        " : " + text_of(context_.ast, call) + ")";
    }
    bool any = decided;
    std::map<const clang::Stmt*, std::string> loops;
    for (Loop* child : loop_.children)
      if (auto changed = Splitter(context_, nest_, *child, known_).text_once(flagged)) {
        loops[child->statement] = *changed;
        any = true;
      }
    if (!any || effects_of(loop_.body).leaves) return std::nullopt;
    Substitution substitution(context_.ast);
    for (const auto& [test, text] : flagged) substitution.replace(test, text);
    for (const auto& [loop, text] : loops) substitution.replace(loop, text);
    const std::string body = substitution.text(loop_.body);
    if (substitution.spoiled()) return std::nullopt;
    if (!decided) return header(loop_) + body;
    const std::string part = fresh_name(context_, stem + "_part"), from = fresh_name(context_, stem + "0"),
                      to = fresh_name(context_, stem + "1"), &type = loop_.type;
    const auto [first, last] = ends();
    std::string text = declared_ends() + "const auto " + part + " = [&](" + type + " " + from + ", " + type + " " + to +
                       ", bool " + inside + ") __attribute__((always_inline)) " +
                       braces(header(loop_, from, to) + body) + ";\n";
    const auto call = [&](const std::string& begin, const std::string& end, const char* known) {
      text += part + "(" + begin + ", " + end + ", " + known + ");\n";
    };
    if (cut_low_ > 0) call(loop_.lower_text, first, "false");
    call(first, last, "true");
    if (cut_high_ > 0) call(last, loop_.upper_text, "false");
    return braces(text);
  }

  std::optional<std::string> text() {
    KnownConditions inner = known_;
    bool any = decide();
    inner.facts = known_.facts;
    inner.clamps = known_.clamps;
    for (Loop* child : loop_.children) {
      if (auto changed = Splitter(context_, nest_, *child, inner).text()) {
        inner.texts[child->statement] = *changed;
        any = true;
      }
    }
    if (!any) return std::nullopt;
    auto middle = simplified(context_.ast, loop_.body, inner);
    std::string border = text_of(context_.ast, loop_.body);
    if (!middle || border.empty()) return std::nullopt;
    if (cut_low_ == 0 && cut_high_ == 0) return header(loop_) + *middle;
    const auto [first, last] = ends();
    std::string parts = declared_ends();
    if (cut_low_ > 0) parts += header(loop_, loop_.lower_text, first) + border + "\n";
    parts += header(loop_, first, last) + *middle + "\n";
    if (cut_high_ > 0) parts += header(loop_, last, loop_.upper_text) + border + "\n";
    return braces(parts);
  }

 private:
  // A test that is known inside.
  std::string unless(const std::string& inside, const clang::Stmt* test, bool value) const {
    const std::string text = text_of(context_.ast, test);
    if (auto* call = llvm::dyn_cast<clang::CallExpr>(test))
      return "(" + inside + " ? " + text_of(context_.ast, call->getArg(value ? 0 : 1)) + " : " + text + ")";
    return value ? "(" + inside + " || " + text + ")" : "(!" + inside + " && " + text + ")";
  }

  // The names of where the middle part begins and ends.
  std::pair<std::string, std::string> ends() const {
    const std::string stem = loop_.variable->getNameAsString();
    return {fresh_name(context_, stem + "_first"), fresh_name(context_, stem + "_last")};
  }

  std::string declared_ends() const {
    const auto [first, last] = ends();
    const std::string begin = loop_.lower_text == "0" ? std::to_string(cut_low_)
                                                      : "(" + loop_.lower_text + " + " + std::to_string(cut_low_) + ")";
    const std::string cut = std::to_string(cut_high_);
    return "const " + loop_.type + " " + first + " = " + begin + " < " + loop_.upper_text + " ? " + begin + " : " +
           clipped_empty() + ";\nconst " + loop_.type + " " + last + " = " + first + " + " + cut + " < " +
           loop_.upper_text + " ? " + loop_.upper_text + " - " + cut + " : " + first + ";\n";
  }

  // Where the first part ends when the loop is shorter than it: the loop's end, or its start when it is empty.
  std::string clipped_empty() const {
    return "(" + loop_.lower_text + " < " + loop_.upper_text + " ? " + loop_.upper_text + " : " + loop_.lower_text +
           ")";
  }

  std::vector<Test> tests() const {
    std::vector<Test> found;
    for (auto* binary : all_of<clang::BinaryOperator>(loop_.body)) {
      if (!binary->isRelationalOp() && !binary->isEqualityOp()) continue;
      if (known_.facts.contains(binary) || is_loop_condition(binary)) continue;
      auto left = value_of(binary->getLHS()), right = value_of(binary->getRHS());
      if (!left || !right) continue;
      Test test{binary, *left - *right};
      test.is_unsigned = binary->getLHS()->getType()->isUnsignedIntegerType();
      switch (binary->getOpcode()) {
        case clang::BO_LT:
          break;
        case clang::BO_LE:
          test.strict = false;
          break;
        case clang::BO_GT:
          test.strict = false;
          test.negated = true;
          break;
        case clang::BO_GE:
          test.negated = true;
          break;
        case clang::BO_EQ:
          test.equal = true;
          break;
        default:
          test.equal = test.negated = true;
          break;
      }
      found.push_back(test);
    }
    for (auto* call : all_of<clang::CallExpr>(loop_.body)) {
      auto* function = call->getDirectCallee();
      if (!function || !function->getIdentifier() || known_.facts.contains(call)) continue;
      if (function->isInStdNamespace() && function->getName() == "clamp" && call->getNumArgs() == 3)
        add_clamp(*call, found);
      if (call->getNumArgs() != 2) continue;
      bool smaller = function->getName() == "min";
      if (!smaller && function->getName() != "max") continue;
      auto left = value_of(call->getArg(0)), right = value_of(call->getArg(1));
      if (!left || !right) continue;
      // Yields its first argument: min where left - right <= 0, max where not left - right < 0.
      Test test{call, *left - *right};
      test.strict = !smaller;
      test.negated = !smaller;
      test.is_unsigned = call->getArg(0)->getType()->isUnsignedIntegerType();
      found.push_back(test);
    }
    return found;
  }

  // v < low and high < v, each of which is to be known as false.
  void add_clamp(const clang::CallExpr& call, std::vector<Test>& found) const {
    const auto value = value_of(call.getArg(0)), low = value_of(call.getArg(1)), high = value_of(call.getArg(2));
    if (!value || !low || !high) return;
    const auto known = known_.clamps.find(&call);
    const auto clamp = known == known_.clamps.end() ? KnownConditions::Clamp() : known->second;
    Test test{&call, *value - *low};
    test.is_unsigned = call.getType()->isUnsignedIntegerType();
    test.part = &KnownConditions::Clamp::not_below;
    if (!clamp.not_below) found.push_back(test);
    test.difference = *high - *value;
    test.part = &KnownConditions::Clamp::not_above;
    if (!clamp.not_above) found.push_back(test);
  }

  // Of a local that is chosen by a test that is known, what is chosen.
  std::optional<IndexPolynomial> value_of(const clang::Expr* expression) const {
    expression = expression->IgnoreParenCasts();
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      const auto* local = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (local && local->isLocalVarDecl() && local->hasInit() && local->getType()->isIntegerType() &&
          local->getType().isConstQualified())
        if (const clang::Expr* chosen = chosen_of(local->getInit())) return value_of(chosen);
    } else if (const clang::Expr* chosen = chosen_of(expression)) {
      return value_of(chosen);
    } else if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(expression); sum && sum->isAdditiveOp()) {
      const auto left = value_of(sum->getLHS()), right = value_of(sum->getRHS());
      if (!left || !right) return std::nullopt;
      return sum->getOpcode() == clang::BO_Add ? *left + *right : *left - *right;
    }
    return IndexPolynomial::of(context_.ast, expression);
  }

  const clang::Expr* chosen_of(const clang::Expr* expression) const {
    expression = expression->IgnoreParenCasts();
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression))
      if (const auto value = decided(known_, choice->getCond()))
        return *value ? choice->getTrueExpr() : choice->getFalseExpr();
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
      if (const auto clamp = known_.clamps.find(call); clamp != known_.clamps.end() && clamp->second.yields_value())
        return call->getArg(0);
      if (const auto fact = known_.facts.find(call); fact != known_.facts.end())
        return call->getArg(fact->second ? 0 : 1);
    }
    return nullptr;
  }

  bool is_loop_condition(const clang::Expr* node) const {
    for (const Loop& loop : nest_.loops())
      if (loop.as_for() && loop.as_for()->getCond() && loop.as_for()->getCond()->IgnoreParenImpCasts() == node)
        return true;
    return false;
  }

  // Takes variables of constant range out of `polynomial`; false: something in it changes with the loop in another way.
  bool take_ranges(IndexPolynomial& polynomial, Range& range) const {
    IndexPolynomial rest = IndexPolynomial::constant(0);
    for (const auto& [monomial, factor] : polynomial.terms()) {
      IndexPolynomial term = IndexPolynomial::constant(factor);
      for (auto* part : monomial) term = term * IndexPolynomial::variable(part);
      bool ranged = false;
      if (monomial.size() == 1) {
        for (const Loop& inner : nest_.loops()) {
          auto trips = inner.constant_trips(context_.ast), start = inner.constant_lower(context_.ast);
          if (inner.variable != monomial[0] || !trips || !start || *trips < 1 || !within(inner)) continue;
          long long a = *start * factor, b = (*start + (*trips - 1) * inner.step) * factor;
          range.low += std::min(a, b);
          range.high += std::max(a, b);
          ranged = true;
        }
      }
      if (ranged) continue;
      for (auto* part : monomial) {
        auto locals = declared_in(loop_.statement);
        if (std::find(locals.begin(), locals.end(), part) != locals.end() || writes_variable(loop_.statement, part))
          return false;
      }
      rest = rest + term;
    }
    polynomial = rest;
    return true;
  }

  bool within(const Loop& inner) const {
    for (const Loop* up = inner.parent; up; up = up->parent)
      if (up == &loop_) return true;
    return false;
  }

  bool decide(const Test& test) {
    auto slope = test.difference.stride(loop_.variable);
    auto factor = slope ? slope->as_constant() : std::nullopt;
    if (!factor || (*factor != 1 && *factor != -1)) return false;
    IndexPolynomial difference = test.difference;
    bool strict = test.strict, negated = test.negated;
    if (*factor == -1) {  // -v + r < 0 is not (v - r <= 0)
      difference = IndexPolynomial::constant(0) - difference;
      if (!test.equal) {
        strict = !strict;
        negated = !negated;
      }
    }
    IndexPolynomial rest = difference - IndexPolynomial::variable(loop_.variable);
    Range range;
    if (!take_ranges(rest, range)) return false;
    // True for v < threshold - range.high, false for v >= threshold - range.low.
    IndexPolynomial threshold = IndexPolynomial::constant(strict || test.equal ? 0 : 1) - rest;
    auto from_low = (threshold - low_).as_constant(), from_high = (high_ - threshold).as_constant();
    if (from_low && from_high) (std::abs(*from_low) <= std::abs(*from_high) ? from_high : from_low).reset();
    constexpr long long widest = 64;  // a border, not half of the loop
    if (from_low) {
      long long cut = *from_low - range.low + (test.equal ? 1 : 0);
      if (cut > widest) return false;
      if (test.part && negated) return false;
      cut_low_ = std::max(cut_low_, cut);
      note(test, negated);  // the comparison is false there
    } else if (from_high) {
      long long cut = *from_high + range.high;
      if (cut > widest) return false;
      if (test.part && !negated) return false;
      cut_high_ = std::max(cut_high_, cut);
      note(test, test.equal ? negated : !negated);
    } else {
      return false;
    }
    // An unsigned comparison also speaks of what would be below zero: v + offset wraps there.
    if (test.is_unsigned || from_high) {
      auto low = low_.as_constant();
      if (low && test.is_unsigned) cut_low_ = std::max(cut_low_, -range.low - *low);
    }
    return true;
  }

  void note(const Test& test, bool value) {
    if (test.part)
      known_.clamps[test.node].*test.part = true;
    else
      known_.facts[test.node] = value;
  }

  const KernelContext& context_;
  LoopNest& nest_;
  const Loop& loop_;
  KnownConditions known_;
  IndexPolynomial low_, high_;
  long long cut_low_ = 0, cut_high_ = 0;
};

class SplitIndex final : public LoopTransformation {
 public:
  std::string_view name() const override { return "split_index"; }

 protected:
  bool fits(const KernelContext& context, LoopNest& nest, const Loop& loop) const override {
    return !loop.constant_trips(context.ast) && Splitter(context, nest, loop, KnownConditions{}).decide();
  }
  std::optional<std::string> rewritten(const KernelContext& context, LoopNest& nest, const Loop& loop,
                                       const std::vector<int>&) const override {
    if (context.compact)
      if (auto once = Splitter(context, nest, loop, KnownConditions{}).text_once()) return once;
    return Splitter(context, nest, loop, KnownConditions{}).text();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_split_index() {
  return std::make_unique<SplitIndex>();
}

}  // namespace hone::frontend
