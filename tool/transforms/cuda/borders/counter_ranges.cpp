#include "tool/transforms/cuda/borders/counter_ranges.h"

#include <algorithm>
#include <cctype>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

constexpr std::size_t most_either = 2;  // counters with both ends asked: four tests

// In parentheses where it is more than a word.
std::optional<std::string> closed(const std::optional<std::string>& text) {
  if (!text || text->empty()) return std::nullopt;
  const bool word = std::ranges::all_of(*text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return word ? *text : "(" + *text + ")";
}

}  // namespace

CounterRanges::CounterRanges(const KernelContext& context, const Loop& top) : ast_(context.ast), top_(top) {
  written_ = written_in(top.statement);
  for (const clang::VarDecl* local : declared_in(top.statement)) locals_.insert(local);
  add_counters(top);
}

CounterRanges::Slopes CounterRanges::turned(Slopes slopes) {
  for (auto& [counter, slope] : slopes)
    if (slope != Slope::either) slope = slope == Slope::up ? Slope::down : Slope::up;
  return slopes;
}

CounterRanges::Slopes CounterRanges::sum(Slopes left, const Slopes& right) {
  for (const auto& [counter, slope] : right) {
    const auto [place, is_new] = left.emplace(counter, slope);
    if (!is_new && place->second != slope) place->second = Slope::either;
  }
  return left;
}

// By a factor whose sign may be known.
CounterRanges::Slopes CounterRanges::product(Slopes slopes, std::optional<bool> negative) {
  if (negative) return *negative ? turned(std::move(slopes)) : slopes;
  for (auto& [counter, slope] : slopes) slope = Slope::either;
  return slopes;
}

// As written, before conversions.
bool CounterRanges::has_type(const clang::Expr* expression, clang::QualType type) const {
  return ast_.hasSameUnqualifiedType(expression->IgnoreParenImpCasts()->getType(), type);
}

bool CounterRanges::is_linear(const clang::Expr* expression, clang::QualType type) const {
  return has_type(expression, type) && slopes_of(expression);
}

void CounterRanges::add_counters(const Loop& loop) {
  if (loop.counted && loop.owns_variable && is_plain(loop.variable->getType()) && is_steady(loop.lower) &&
      is_steady(loop.upper))
    counters_[loop.variable] = &loop;
  for (const Loop* child : loop.children) add_counters(*child);
}

// References in it, and in what the loop's own locals begin with.
void CounterRanges::each_reference(const clang::Expr* expression,
                                   const std::function<void(const clang::ValueDecl*)>& visit, unsigned depth) const {
  for (const auto* reference : all_of<clang::DeclRefExpr>(expression)) {
    visit(reference->getDecl());
    if (const auto* begin = beginning_of(reference->getDecl()); begin && depth < 8)
      each_reference(begin, visit, depth + 1);
  }
}

// Of a local of the loop that stays as it begins.
const clang::Expr* CounterRanges::beginning_of(const clang::ValueDecl* declaration) const {
  const auto* local = llvm::dyn_cast<clang::VarDecl>(declaration);
  const bool steady = local && locals_.contains(local) && !counters_.contains(local) && !written_.contains(local) &&
                      local->hasInit() && has_type(local->getInit(), local->getType());
  return steady ? local->getInit() : nullptr;
}

bool CounterRanges::moves(const clang::Expr* expression) const {
  bool any = false;
  each_reference(expression, [&](const clang::ValueDecl* one) { any |= counters_.contains(one); });
  return any;
}

// Threads differ by their locals; parameters are the same for all, and so is what loops around count.
bool CounterRanges::is_of_thread(const clang::Expr* expression) const {
  bool any = false;
  each_reference(expression, [&](const clang::ValueDecl* one) {
    const auto* local = llvm::dyn_cast<clang::VarDecl>(one);
    bool own = local && local->isLocalVarDecl() && !locals_.contains(local) && !local->isConstexpr();
    for (const Loop* loop = top_.parent; loop; loop = loop->parent) own &= loop->variable != local;
    any |= own;
  });
  return any;
}

// The same in all iterations, by variables alone, and defined where there are none: it divides by numbers only.
bool CounterRanges::is_steady(const clang::Expr* expression) const {
  const auto divides = [&](const clang::BinaryOperator* one) {
    return (one->getOpcode() == clang::BO_Div || one->getOpcode() == clang::BO_Rem) &&
           !one->getRHS()->isEvaluatable(ast_);
  };
  const auto elsewhere = [&](const clang::DeclRefExpr* reference) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable || variable->getType().isConstQualified() || variable->hasAttr<clang::CUDAConstantAttr>())
      return false;
    return !variable->hasLocalStorage() || variable->getType()->isReferenceType() ||
           variable->getType().isVolatileQualified() || written_.contains(variable);
  };
  return invariant_in(expression, top_, false) && accesses_in(ast_, expression).empty() &&
         std::ranges::none_of(all_of<clang::BinaryOperator>(expression), divides) &&
         std::ranges::none_of(all_of<clang::DeclRefExpr>(expression), elsewhere);
}

// Numbers with a sign that arithmetic leaves as wide as they are: what wraps around has no ends.
bool CounterRanges::is_plain(clang::QualType type) const {
  return type->isSignedIntegerType() && ast_.getTypeSize(type) >= ast_.getTypeSize(ast_.IntTy);
}

bool CounterRanges::widens(const clang::CastExpr& cast) const {
  if (cast.getCastKind() == clang::CK_NoOp || cast.getCastKind() == clang::CK_LValueToRValue) return true;
  const clang::QualType from = cast.getSubExpr()->getType();
  return cast.getCastKind() == clang::CK_IntegralCast && is_plain(from) &&
         ast_.getTypeSize(cast.getType()) >= ast_.getTypeSize(from);
}

// How a linear expression goes with each counter; nullopt: it is none.
std::optional<CounterRanges::Slopes> CounterRanges::slopes_of(const clang::Expr* expression) const {
  expression = expression->IgnoreParens();
  if (!is_plain(expression->getType().getNonReferenceType())) return std::nullopt;
  if (is_steady(expression)) return Slopes{};
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression))
    return widens(*cast) ? slopes_of(cast->getSubExpr()) : std::nullopt;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (counters_.contains(reference->getDecl())) return Slopes{{reference->getDecl(), Slope::up}};
    const clang::Expr* begin = beginning_of(reference->getDecl());
    return begin ? slopes_of(begin) : std::nullopt;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    const auto inner = slopes_of(unary->getSubExpr());
    if (!inner || (unary->getOpcode() != clang::UO_Minus && unary->getOpcode() != clang::UO_Plus)) return std::nullopt;
    return unary->getOpcode() == clang::UO_Minus ? turned(*inner) : *inner;
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
  return binary ? slopes_of(*binary) : std::nullopt;
}

std::optional<CounterRanges::Slopes> CounterRanges::slopes_of(const clang::BinaryOperator& binary) const {
  const auto left = slopes_of(binary.getLHS()), right = slopes_of(binary.getRHS());
  if (!left || !right) return std::nullopt;
  if (binary.getOpcode() == clang::BO_Add) return sum(*left, *right);
  if (binary.getOpcode() == clang::BO_Sub) return sum(*left, turned(*right));
  if (binary.getOpcode() != clang::BO_Mul || (!left->empty() && !right->empty())) return std::nullopt;
  clang::Expr::EvalResult factor;
  const bool known = (left->empty() ? binary.getLHS() : binary.getRHS())->EvaluateAsInt(factor, ast_);
  return product(left->empty() ? *right : *left,
                 known ? std::optional(factor.Val.getInt().isNegative()) : std::nullopt);
}

// The comparison at the ends where it fails first.
std::optional<std::vector<std::string>> CounterRanges::tests_of(const Comparison& comparison) const {
  const auto slopes = slopes_of(comparison.value), bound = slopes_of(comparison.bound);
  if (!slopes || !bound || !bound->empty()) return std::nullopt;
  const bool above = comparison.op == clang::BO_LT || comparison.op == clang::BO_LE;
  std::vector<const clang::ValueDecl*> both;
  Ends ends;
  for (const auto& [counter, slope] : *slopes) {
    ends[counter] = (slope == Slope::up) == above;
    if (slope == Slope::either) both.push_back(counter);
  }
  if (both.size() > most_either) return std::nullopt;
  std::vector<std::string> tests;
  for (unsigned corner = 0; corner < 1u << both.size(); ++corner) {
    for (std::size_t i = 0; i < both.size(); ++i) ends[both[i]] = corner >> i & 1;
    const auto value = text_at(comparison.value, ends), end = text_at(comparison.bound, ends);
    if (!value || !end) return std::nullopt;
    tests.push_back(*value + " " + clang::BinaryOperator::getOpcodeStr(comparison.op).str() + " " + *end);
  }
  return tests;
}

// As an operand of a comparison.
std::optional<std::string> CounterRanges::text_at(const clang::Expr* expression, const Ends& ends) const {
  if (const auto* local = local_variable(expression))
    if (const clang::Expr* begin = beginning_of(local)) return text_at(begin, ends);
  if (const auto difference = difference_at(expression, ends)) return difference;
  Substitution changes(ast_);
  for (const auto* reference : all_of<clang::DeclRefExpr>(expression)) {
    const clang::ValueDecl* declaration = reference->getDecl();
    std::optional<std::string> text;
    if (const auto end = ends.find(declaration); end != ends.end())
      text = end_of(*counters_.at(declaration), end->second);
    else if (const clang::Expr* begin = beginning_of(declaration))
      text = closed(text_at(begin, ends));
    else
      continue;
    if (!text) return std::nullopt;
    changes.replace(reference, *text);
  }
  const std::string text = changes.text(expression);
  if (changes.spoiled() || text.empty()) return std::nullopt;
  const clang::Expr* inner = expression->IgnoreImpCasts();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(inner);
  const bool loose = (binary && !binary->isAdditiveOp() && !binary->isMultiplicativeOp()) ||
                     llvm::isa<clang::ConditionalOperator>(inner);
  return loose ? "(" + text + ")" : text;
}

// x + d where d begins at -r is x - r, as one writes it.
std::optional<std::string> CounterRanges::difference_at(const clang::Expr* expression, const Ends& ends) const {
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(expression->IgnoreImpCasts());
  const auto* right = sum && sum->getOpcode() == clang::BO_Add ? local_variable(sum->getRHS()) : nullptr;
  const auto end = ends.find(right);
  if (end == ends.end() || end->second) return std::nullopt;
  const Loop& loop = *counters_.at(right);
  const auto* minus = llvm::dyn_cast<clang::UnaryOperator>(loop.lower->IgnoreParenImpCasts());
  if (!minus || minus->getOpcode() != clang::UO_Minus || !has_type(minus, right->getType())) return std::nullopt;
  const auto left = text_at(sum->getLHS(), ends), less = closed(text_of(ast_, minus->getSubExpr()->IgnoreParens()));
  return left && less ? std::optional(*left + " - " + *less) : std::nullopt;
}

// The counter's first or last value, as an operand. A step over the end makes the last one later than it is.
std::optional<std::string> CounterRanges::end_of(const Loop& loop, bool last) const {
  const auto first = loop.constant_lower(ast_), trips = loop.constant_trips(ast_);
  if (last && first && trips && *trips > 0) return closed(std::to_string(*first + (*trips - 1) * loop.step));
  std::string text = last ? loop.upper_text + " - 1" : loop.lower_text;
  if (last && loop.inclusive) text = text_of(ast_, loop.upper);
  if (text.empty()) return std::nullopt;
  const clang::Expr* bound = last ? loop.upper : loop.lower;
  if (!has_type(bound, loop.variable->getType())) return "static_cast<" + loop.type + ">(" + text + ")";
  return last ? closed(text) : text;
}

}  // namespace hone::frontend
