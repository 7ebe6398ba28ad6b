#include "tool/frontend/infer/bounds.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace hone::frontend {
namespace {

using namespace clang;

constexpr double kLarge = 1000;  // of a parameter, to tell which of two formulas is larger
constexpr Polynomial::Symbol kMostSymbols = 256;
constexpr double kSomeStep = 1.5;  // of a counter, where the number is not known

const VarDecl* counter_of(const Expr* expression) {
  const auto* use = expression ? llvm::dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts()) : nullptr;
  return use ? llvm::dyn_cast<VarDecl>(use->getDecl()) : nullptr;
}

// What the increment adds to `counter`; 0: it is none that counts a variable, as `++s.n` and `++*p`.
double step_of(const Expr* increment, const VarDecl*& counter, Affine& affine) {
  if (!increment) return 0;
  increment = increment->IgnoreParenImpCasts();
  if (const auto* both = llvm::dyn_cast<BinaryOperator>(increment); both && both->getOpcode() == BO_Comma) {
    const double left = step_of(both->getLHS(), counter, affine);
    return left != 0 ? left : step_of(both->getRHS(), counter, affine);
  }
  if (const auto* count = llvm::dyn_cast<UnaryOperator>(increment); count && count->isIncrementDecrementOp()) {
    counter = counter_of(count->getSubExpr());
    return !counter ? 0 : count->isIncrementOp() ? 1 : -1;
  }
  const auto* assign = llvm::dyn_cast<BinaryOperator>(increment);
  if (!assign) return 0;
  const Expr* by = nullptr;
  double sign = assign->getOpcode() == BO_SubAssign ? -1 : 1;
  if (assign->getOpcode() == BO_AddAssign || assign->getOpcode() == BO_SubAssign) {
    by = assign->getRHS();
  } else if (assign->getOpcode() == BO_Assign) {
    const auto* sum = llvm::dyn_cast<BinaryOperator>(assign->getRHS()->IgnoreParenImpCasts());
    if (!sum || !sum->isAdditiveOp() || counter_of(sum->getLHS()) != counter_of(assign->getLHS())) return 0;
    by = sum->getRHS();
    sign = sum->getOpcode() == BO_Sub ? -1 : 1;
  }
  counter = by ? counter_of(assign->getLHS()) : nullptr;
  const auto known = counter ? affine.value(by) : std::nullopt;
  if (known && known->constant()) return sign * *known->constant();
  return known && known->at_all(kLarge) > 0 ? sign * kSomeStep : 0;
}

const Expr* first_value(const Stmt* init, const VarDecl* counter) {
  if (const auto* declared = llvm::dyn_cast_or_null<DeclStmt>(init))
    return std::ranges::any_of(declared->decls(), [&](const Decl* one) { return one == counter; }) ? counter->getInit()
                                                                                                   : nullptr;
  const auto* assign = llvm::dyn_cast_or_null<BinaryOperator>(init);
  if (assign && assign->getOpcode() == BO_Comma) {
    const Expr* left = first_value(assign->getLHS(), counter);
    return left ? left : first_value(assign->getRHS(), counter);
  }
  return assign && assign->getOpcode() == BO_Assign && counter_of(assign->getLHS()) == counter ? assign->getRHS()
                                                                                               : nullptr;
}

BinaryOperatorKind mirrored(BinaryOperatorKind opcode) {
  switch (opcode) {
    case BO_LT:
      return BO_GT;
    case BO_LE:
      return BO_GE;
    case BO_GT:
      return BO_LT;
    case BO_GE:
      return BO_LE;
    default:
      return opcode;
  }
}

BinaryOperatorKind negated(BinaryOperatorKind opcode) {
  switch (opcode) {
    case BO_LT:
      return BO_GE;
    case BO_LE:
      return BO_GT;
    case BO_GT:
      return BO_LE;
    case BO_GE:
      return BO_LT;
    case BO_EQ:
      return BO_NE;
    case BO_NE:
      return BO_EQ;
    default:
      return opcode;
  }
}

// The comparisons that must all hold for a loop to go on.
void add_comparisons(const Expr* condition, std::vector<const BinaryOperator*>& into) {
  const auto* operation = condition ? llvm::dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts()) : nullptr;
  if (operation && operation->getOpcode() == BO_LAnd) {
    add_comparisons(operation->getLHS(), into);
    add_comparisons(operation->getRHS(), into);
  } else if (operation && operation->isComparisonOp()) {
    into.push_back(operation);
  }
}

// The parameter that `n--` and `n-- > 0` count down.
const ParmVarDecl* counted_down(const Expr* condition) {
  condition = condition ? condition->IgnoreParenImpCasts() : nullptr;
  if (const auto* comparison = llvm::dyn_cast_or_null<BinaryOperator>(condition);
      comparison && (comparison->getOpcode() == BO_GT || comparison->getOpcode() == BO_NE))
    condition = comparison->getLHS()->IgnoreParenImpCasts();
  const auto* step = llvm::dyn_cast_or_null<UnaryOperator>(condition);
  const VarDecl* variable = step && step->getOpcode() == UO_PostDec ? counter_of(step->getSubExpr()) : nullptr;
  return llvm::dyn_cast_or_null<ParmVarDecl>(variable);
}

// "0.5*n", and not "g.n".
bool has_fraction(const std::string& formula) {
  for (std::size_t at = formula.find('.'); at != std::string::npos; at = formula.find('.', at + 1))
    if (at + 1 < formula.size() && std::isdigit(static_cast<unsigned char>(formula[at + 1]))) return true;
  return false;
}

// Not below 0 where all parameters are large.
bool is_large(const Polynomial& difference) {
  if (difference.constant()) return *difference.constant() >= 0;
  // Sizes that rise and sizes that fall from one parameter to the next: neither order is taken for granted.
  for (const double step : {0.0, 1777.0, -1777.0}) {
    std::map<Polynomial::Symbol, double> sizes;
    for (Polynomial::Symbol symbol = 0; symbol < kMostSymbols; ++symbol)
      sizes[symbol] = kLarge + (step < 0 ? kMostSymbols * -step : 0) + step * symbol;
    const auto value = difference.at(sizes);
    if (!value || *value < 0) return false;
  }
  return true;
}

}  // namespace

bool Bounds::is_larger(const Polynomial& a, const Polynomial& b) const {
  Polynomial difference = a - b;
  for (const auto& [symbol, rounded] : rounded_) {
    const std::vector<Polynomial> parts = difference.by_powers_of(symbol);
    if (parts.size() != 2) continue;
    const bool least = parts[1].at_all(kLarge) >= 0;
    difference = parts[0] + parts[1] * (least ? rounded.span : rounded.span + Polynomial(rounded.step - 1));
  }
  return is_large(difference);
}

// Of a counter that goes from `first` to in front of `end`, where what is used beside it may lie behind the end.
Polynomial Bounds::last_of(const Polynomial& first, const Polynomial& end, double step) {
  const Polynomial before_end = end - Polynomial(1), span = end - first;
  if (step <= 1 || step != std::floor(step)) return before_end;
  const bool guarded = end.at_all(0) < 0;  // i < n - 7: nothing lies behind n
  const bool counted = std::ranges::any_of(
      loops_, [&](const Loop& loop) { return loop.counter && span.mentions(loop.counter->symbol); });
  if (const auto known = span.constant()) return first + Polynomial((std::ceil(*known / step) - 1) * step);
  if (guarded || counted) return before_end;
  if (span.is_multiple_of(step)) return end - Polynomial(step);
  const std::string up = text(span + Polynomial(step - 1)), by = std::to_string(static_cast<long long>(step));
  if (up.empty()) return before_end;
  const Polynomial::Symbol symbol = next_++;
  names_.resize(symbol + 1, "?");
  names_[symbol] = "((" + up + ")/" + by + "*" + by + ")";
  rounded_[symbol] = {first, span, step};
  return first + Polynomial::symbol(symbol) - Polynomial(step);
}

std::optional<Polynomial> Bounds::quotient(const Polynomial& dividend, const Polynomial& divisor) {
  for (const Loop& loop : loops_)
    if (loop.counter && (dividend.mentions(loop.counter->symbol) || divisor.mentions(loop.counter->symbol)))
      return std::nullopt;
  const std::string above = text(dividend), below = text(divisor);
  if (above.empty() || below.empty()) return std::nullopt;
  const auto in_brackets = [](const std::string& formula) {
    return formula.find_first_of("+-*/ ") == std::string::npos ? formula : "(" + formula + ")";
  };
  const std::string name = "(" + in_brackets(above) + "/" + in_brackets(below) + ")";
  Polynomial whole = number(name);
  for (Polynomial::Symbol symbol = 0; symbol < next_; ++symbol)
    if (divisor == Polynomial::symbol(symbol)) quotients_.push_back({numbers_.at(name), dividend, symbol});
  return whole;
}

// NH*(C/NH) is C at most.
Polynomial Bounds::without_quotients(Polynomial end) const {
  for (const Quotient& quotient : quotients_) {
    const std::vector<Polynomial> parts = end.by_powers_of(quotient.symbol);
    if (parts.size() != 2) continue;
    const std::vector<Polynomial> times = parts[1].by_powers_of(quotient.divisor);
    if (times.size() != 2 || times[1].at_all(kLarge) < 0) continue;
    end = parts[0] + times[0] * Polynomial::symbol(quotient.symbol) + times[1] * quotient.dividend;
  }
  return end;
}

Polynomial Bounds::plain(const Polynomial& given) const {
  const Polynomial end = without_quotients(given);
  for (const auto& [symbol, rounded] : rounded_) {
    const std::vector<Polynomial> parts = end.by_powers_of(symbol);
    if (parts.size() == 2 && parts[1].constant() == 1.0 && parts[0] + Polynomial(rounded.step - 1) == rounded.first)
      return rounded.first + rounded.span;
  }
  return end;
}

Bounds::Bounds(const FunctionDecl& function) : function_(function), affine_(function.getASTContext()) {
  const std::set<const VarDecl*> modified = modified_in(function.getBody());
  for (const ParmVarDecl* parameter : function.parameters()) {
    names_.push_back(parameter->getNameAsString());
    if (parameter->getType()->isIntegerType() && !modified.contains(parameter))
      affine_.set(*parameter, Polynomial::symbol(next_));
    ++next_;
  }
}

Polynomial Bounds::number(const std::string& name) {
  const auto [known, is_new] = numbers_.emplace(name, next_);
  if (is_new) {
    names_.resize(next_ + 1, "?");
    names_[next_++] = name;
  }
  return Polynomial::symbol(known->second);
}

Polynomial Bounds::extreme(Polynomial known, bool largest) const {
  // Inner counters first: their ends may be outer counters.
  for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
    if (!loop->counter || !known.mentions(loop->counter->symbol)) continue;
    const std::vector<Polynomial> parts = known.by_powers_of(loop->counter->symbol);
    Polynomial sum = parts[0], power(1);
    const bool rising = parts.size() < 2 || parts[1].at_all(kLarge) >= 0;
    const Polynomial& value = rising == largest ? loop->counter->last : loop->counter->first;
    for (std::size_t i = 1; i < parts.size(); ++i) sum += parts[i] * (power = power * value);
    known = std::move(sum);
  }
  return known;
}

Polynomial Bounds::largest(Polynomial known) const {
  return extreme(std::move(known), true);
}
Polynomial Bounds::smallest(Polynomial known) const {
  return extreme(std::move(known), false);
}

std::optional<Polynomial> Bounds::upper(const Expr* expression) {
  if (const auto known = affine_.value(expression)) return largest(*known);
  const QualType written = expression->IgnoreParenImpCasts()->getType();
  expression = expression->IgnoreParenCasts();
  if (const auto* step = llvm::dyn_cast<UnaryOperator>(expression); step && step->getOpcode() == UO_PostInc)
    expression = step->getSubExpr()->IgnoreParenCasts();
  if (const auto rising = rising_.find(counter_of(expression)); rising != rising_.end())
    return loops_.size() > rising->second.depth ? rising->second.largest : rising->second.largest + Polynomial(1);
  if (const auto* operation = llvm::dyn_cast<BinaryOperator>(expression)) {
    const Expr *left = operation->getLHS(), *right = operation->getRHS();
    switch (operation->getOpcode()) {
      case BO_Rem:
        if (const auto by = upper(right)) return *by - Polynomial(1);
        break;
      case BO_And:
        if (const auto mask = affine_.value(right); mask && mask->constant() && *mask->constant() >= 0) return mask;
        if (const auto mask = affine_.value(left); mask && mask->constant() && *mask->constant() >= 0) return mask;
        break;
      case BO_Add:
        if (const auto a = upper(left), b = upper(right); a && b) return *a + *b;
        break;
      case BO_Sub:
        if (const auto a = upper(left), b = lower(right); a && b) return *a - *b;
        break;
      case BO_Mul:
        if (const auto a = upper(left), b = upper(right); a && b) return *a * *b;
        break;
      case BO_Shl:
        if (const auto a = upper(left), by = affine_.value(right); a && by && by->constant())
          return *a * Polynomial(std::pow(2.0, *by->constant()));
        break;
      default:
        break;
    }
  }
  if (const auto* either = llvm::dyn_cast<ConditionalOperator>(expression)) {
    const std::size_t before = narrow(either->getCond(), true);
    const auto yes = upper(either->getTrueExpr());
    widen(before);
    const std::size_t again = narrow(either->getCond(), false);
    const auto no = upper(either->getFalseExpr());
    widen(again);
    if (yes && no && is_larger(*yes, *no)) return yes;
    if (yes && no && is_larger(*no, *yes)) return no;
  }
  // What a narrow type can hold: tables that bytes index.
  if (written->isUnsignedIntegerType() && function_.getASTContext().getTypeSize(written) <= 16)
    return Polynomial(std::pow(2.0, static_cast<double>(function_.getASTContext().getTypeSize(written))) - 1);
  return std::nullopt;
}

std::optional<Polynomial> Bounds::lower(const Expr* expression) {
  if (const auto known = affine_.value(expression)) return smallest(*known);
  if (expression->IgnoreParenImpCasts()->getType()->isUnsignedIntegerType()) return Polynomial();
  const auto* operation = llvm::dyn_cast<BinaryOperator>(expression->IgnoreParenCasts());
  if (operation && (operation->getOpcode() == BO_Rem || operation->getOpcode() == BO_And)) return Polynomial();
  if (operation && operation->getOpcode() == BO_Add)
    if (const auto a = lower(operation->getLHS()), b = lower(operation->getRHS()); a && b) return *a + *b;
  return std::nullopt;
}

// Where `i + k < B` ends the counter: the opcode as if the counter stood on the left, and B - k.
std::optional<Bounds::Limit> Bounds::limit_of(const Expr* condition, const VarDecl& variable, Polynomial::Symbol symbol,
                                              bool rising) {
  std::vector<const BinaryOperator*> comparisons;
  add_comparisons(condition, comparisons);
  affine_.set(variable, Polynomial::symbol(symbol));
  std::optional<Limit> found;
  for (const BinaryOperator* comparison : comparisons) {
    for (const bool left : {true, false}) {
      const Expr* own = left ? comparison->getLHS() : comparison->getRHS();
      const Expr* other = left ? comparison->getRHS() : comparison->getLHS();
      const auto mine = affine_.value(own);
      const std::vector<Polynomial> parts = mine ? mine->by_powers_of(symbol) : std::vector<Polynomial>();
      if (found || parts.size() != 2 || parts[1].constant() != 1.0) continue;
      const auto end = rising ? upper(other) : lower(other);
      if (!end || end->mentions(symbol)) continue;
      const BinaryOperatorKind opcode = left ? comparison->getOpcode() : mirrored(comparison->getOpcode());
      const bool fits =
          opcode == BO_NE || (rising ? opcode == BO_LT || opcode == BO_LE : opcode == BO_GT || opcode == BO_GE);
      if (fits) found = Limit{opcode, rising ? largest(*end - parts[0]) : smallest(*end - parts[0])};
    }
  }
  affine_.forget(variable);
  return found;
}

bool Bounds::enter(const ForStmt& loop, const std::set<const VarDecl*>& modified_in_body) {
  const VarDecl* variable = nullptr;
  const double step = step_of(loop.getInc(), variable, affine_);
  if (step == 0 || !variable->getType()->isIntegerType() || modified_in_body.contains(variable))
    return enter_unknown(), false;
  const Expr* first = first_value(loop.getInit(), variable);
  // One that goes on from where another loop left it: from 0, for all that is known.
  std::optional<Polynomial> begin;
  if (first) begin = step > 0 ? lower(first) : upper(first);
  if (!first && step > 0) begin = Polynomial();
  const Polynomial::Symbol symbol = next_++;
  const auto limit = limit_of(loop.getCond(), *variable, symbol, step > 0);
  if (!begin || !limit) return enter_unknown(), false;
  Counter counter{variable, symbol, *begin, limit->end, first && std::fabs(step) == 1};
  if (step > 0 && limit->opcode != BO_LE) counter.last = last_of(*begin, limit->end, first ? step : 1);
  if (step < 0) {
    counter.first = limit->opcode == BO_GE ? limit->end : limit->end + Polynomial(1);
    counter.last = *begin;
  }
  affine_.set(*variable, Polynomial::symbol(symbol));
  loops_.push_back({std::move(counter)});
  return true;
}

bool Bounds::enter_while(const Expr* condition, const std::set<const VarDecl*>& modified_in_body) {
  if (const ParmVarDecl* down = counted_down(condition);
      down && !modified_in_body.contains(down) && down->getDeclContext() == &function_) {
    const Polynomial trips = Polynomial::symbol(down->getFunctionScopeIndex());
    loops_.push_back({Counter{nullptr, next_++, Polynomial(), trips - Polynomial(1), true}});
    return true;
  }
  const auto* comparison = condition ? llvm::dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts()) : nullptr;
  const VarDecl* variable = comparison ? counter_of(comparison->getLHS()) : nullptr;
  const bool counts = variable && variable->isLocalVarDecl() && variable->getType()->isIntegerType() &&
                      (comparison->getOpcode() == BO_LT || comparison->getOpcode() == BO_NE);
  const auto stop = counts ? upper(comparison->getRHS()) : std::nullopt;
  if (!stop) return enter_unknown(), false;
  Counter counter{variable, next_++, Polynomial(), *stop - Polynomial(1), false};
  affine_.set(*variable, Polynomial::symbol(counter.symbol));
  loops_.push_back({std::move(counter)});
  return true;
}

void Bounds::enter_unknown() {
  loops_.push_back({});
}

void Bounds::leave() {
  if (loops_.back().counter && loops_.back().counter->variable) affine_.forget(*loops_.back().counter->variable);
  loops_.pop_back();
}

std::size_t Bounds::narrow(const Expr* condition, bool holds) {
  const std::size_t before = narrowings_.size();
  if (!condition) return before;
  condition = condition->IgnoreParenImpCasts();
  if (const auto* no = llvm::dyn_cast<UnaryOperator>(condition); no && no->getOpcode() == UO_LNot)
    return narrow(no->getSubExpr(), !holds), before;
  const auto* operation = llvm::dyn_cast<BinaryOperator>(condition);
  if (!operation) return before;
  if (operation->getOpcode() == (holds ? BO_LAnd : BO_LOr)) {
    narrow(operation->getLHS(), holds);
    narrow(operation->getRHS(), holds);
  } else if (operation->isComparisonOp()) {
    const BinaryOperatorKind opcode = holds ? operation->getOpcode() : negated(operation->getOpcode());
    compare(*operation->getLHS(), opcode, *operation->getRHS());
    compare(*operation->getRHS(), mirrored(opcode), *operation->getLHS());
  }
  return before;
}

// `i + k < B` says i <= B - 1 - k of the counter i, where that is less than it could be.
void Bounds::compare(const Expr& left, int opcode, const Expr& right) {
  const auto known = affine_.value(&left), other = affine_.value(&right);
  if (!known || !other) return;
  for (std::size_t i = loops_.size(); i-- > 0;) {
    if (!loops_[i].counter || !known->mentions(loops_[i].counter->symbol)) continue;
    Counter& counter = *loops_[i].counter;
    const std::vector<Polynomial> parts = known->by_powers_of(counter.symbol);
    if (parts.size() != 2 || parts[1].constant() != 1.0) return;
    const Narrowing was{i, counter.first, counter.last};
    const Polynomial least = smallest(*other - parts[0]), most = largest(*other - parts[0]);
    if (opcode == BO_LT && is_larger(counter.last, most - Polynomial(1))) counter.last = most - Polynomial(1);
    if (opcode == BO_LE && is_larger(counter.last, most)) counter.last = most;
    if (opcode == BO_GT && is_larger(least + Polynomial(1), counter.first)) counter.first = least + Polynomial(1);
    if (opcode == BO_GE && is_larger(least, counter.first)) counter.first = least;
    narrowings_.push_back(was);
    return;
  }
}

void Bounds::widen(std::size_t narrowings) {
  while (narrowings_.size() > narrowings) {
    const Narrowing& was = narrowings_.back();
    loops_[was.loop].counter->first = was.first;
    loops_[was.loop].counter->last = was.last;
    narrowings_.pop_back();
  }
}

std::optional<Polynomial> Bounds::trips(std::size_t from_depth) const {
  Polynomial product(1);
  for (std::size_t i = from_depth; i < loops_.size(); ++i) {
    if (!loops_[i].counter || !loops_[i].counter->every) return std::nullopt;
    product = product * largest(loops_[i].counter->last - loops_[i].counter->first + Polynomial(1));
  }
  return product;
}

bool Bounds::fills(const Polynomial& place) const {
  if (!narrowings_.empty() || !smallest(place).is_zero()) return false;
  Polynomial places(1);
  for (const Loop& loop : loops_) {
    if (!loop.counter) return false;
    if (!place.mentions(loop.counter->symbol)) continue;
    if (!loop.counter->every) return false;
    places = places * largest(loop.counter->last - loop.counter->first + Polynomial(1));
  }
  return places == largest(place) + Polynomial(1);
}

std::string Bounds::text(const Polynomial& formula) const {
  for (const auto& [symbol, rounded] : rounded_)
    if (formula == Polynomial::symbol(symbol)) return names_[symbol].substr(1, names_[symbol].size() - 2);
  for (const int divisor : {1, 2, 4, 8, 16}) {
    const std::string whole = (formula * Polynomial(divisor)).text(names_);
    if (has_fraction(whole) || whole.find('?') != std::string::npos) continue;
    return divisor == 1 ? whole : "(" + whole + ")/" + std::to_string(divisor);
  }
  return "";
}

}  // namespace hone::frontend
