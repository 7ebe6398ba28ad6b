#include "tool/proof/logic.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace hone::proof {

using llvm::APInt;

bool Term::same(const Term& other) const {
  if (width_ != other.width_ || known() != other.known()) return false;
  return known() ? number_ == other.number_ : z3::eq(*formula_, *other.formula_);
}

Term Logic::fresh(unsigned width, const std::string& name) {
  const std::string unique = name + "!" + std::to_string(count_++);
  return width == 1 ? Term(1, context_.bool_const(unique.c_str()))
                    : Term(width, context_.bv_const(unique.c_str(), width));
}

z3::expr Logic::formula(const Term& term) {
  if (!term.known()) return term.formula();
  if (term.width() == 1) return context_.bool_val(term.number().getBoolValue());
  return context_.bv_val(llvm::toString(term.number(), 10, false).c_str(), term.width());
}

z3::expr Logic::bits(const Term& term) {
  const z3::expr value = formula(term);
  return term.width() == 1 ? z3::ite(value, context_.bv_val(1, 1), context_.bv_val(0, 1)) : value;
}

Term Logic::of(unsigned width, z3::expr value) {
  if (width == 1 && value.is_bv()) value = value == context_.bv_val(1, 1);
  return Term(width, std::move(value));
}

namespace {

std::optional<APInt> known_result(Operation operation, const APInt& a, const APInt& b) {
  const unsigned width = a.getBitWidth();
  const bool too_far = b.uge(width);
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::udivide:
      return b.isZero() ? APInt(width, 0) : a.udiv(b);
    case Operation::sdivide:
      return b.isZero() ? APInt(width, 0) : a.sdiv(b);
    case Operation::uremainder:
      return b.isZero() ? APInt(width, 0) : a.urem(b);
    case Operation::sremainder:
      return b.isZero() ? APInt(width, 0) : a.srem(b);
    case Operation::shl:
      return too_far ? APInt(width, 0) : a.shl(b);
    case Operation::lshr:
      return too_far ? APInt(width, 0) : a.lshr(b);
    case Operation::ashr:
      return a.ashr(too_far ? width - 1 : static_cast<unsigned>(b.getZExtValue()));
    case Operation::conjoin:
      return a & b;
    case Operation::disjoin:
      return a | b;
    case Operation::differ:
      return a ^ b;
  }
  return std::nullopt;
}

bool is_all(const Term& term, bool ones) {
  return term.known() && (ones ? term.number().isAllOnes() : term.number().isZero());
}

}  // namespace

z3::expr Logic::apply(Operation operation, const z3::expr& a, const z3::expr& b) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::udivide:
      return z3::udiv(a, b);
    case Operation::sdivide:
      return a / b;
    case Operation::uremainder:
      return z3::urem(a, b);
    case Operation::sremainder:
      return z3::srem(a, b);
    case Operation::shl:
      return z3::shl(a, b);
    case Operation::lshr:
      return z3::lshr(a, b);
    case Operation::ashr:
      return z3::ashr(a, b);
    case Operation::conjoin:
      return a & b;
    case Operation::disjoin:
      return a | b;
    default:
      return a ^ b;
  }
}

Term Logic::compute(Operation operation, const Term& a, const Term& b) {
  using enum Operation;
  if (a.known() && b.known()) return Term(*known_result(operation, a.number(), b.number()));
  const bool adds = operation == add || operation == disjoin || operation == differ;
  if (adds && is_all(a, false)) return b;
  if ((adds || operation == subtract || operation == shl || operation == lshr || operation == ashr) && is_all(b, false))
    return a;
  if ((operation == conjoin || operation == multiply) && (is_all(a, false) || is_all(b, false)))
    return number(a.width(), 0);
  if (operation == conjoin && is_all(a, true)) return b;
  if (operation == conjoin && is_all(b, true)) return a;
  // The lowest bit is written in one way.
  if (operation == conjoin && a.width() > 1 && b.known() && b.number().isOne())
    return widen(extract(a, 0, 1), a.width(), false);
  if (operation == disjoin && (is_all(a, true) || is_all(b, true))) return Term(APInt::getAllOnes(a.width()));
  if (operation == multiply && a.width() > 1 && a.known() && a.number().isOne()) return b;
  if (operation == multiply && a.width() > 1 && b.known() && b.number().isOne()) return a;
  if ((operation == conjoin || operation == disjoin) && a.same(b)) return a;
  if ((operation == subtract || operation == differ) && a.same(b)) return number(a.width(), 0);
  if (operation == subtract && b.known()) return compute(add, a, Term(-b.number()));
  if (a.width() == 1) {
    const z3::expr x = formula(a), y = formula(b);
    if (operation == conjoin) return Term(1, x && y);
    if (operation == disjoin) return Term(1, x || y);
    if (operation == add || operation == subtract || operation == differ) return Term(1, x != y);
    if (operation == multiply) return Term(1, x && y);
  }
  return of(a.width(), apply(operation, bits(a), bits(b)));
}

Term Logic::compare(Relation relation, const Term& a, const Term& b) {
  if (a.known() && b.known()) {
    const APInt &x = a.number(), &y = b.number();
    switch (relation) {
      case Relation::eq:
        return truth(x == y);
      case Relation::ne:
        return truth(x != y);
      case Relation::ult:
        return truth(x.ult(y));
      case Relation::ule:
        return truth(x.ule(y));
      case Relation::slt:
        return truth(x.slt(y));
      case Relation::sle:
        return truth(x.sle(y));
    }
  }
  if (a.same(b)) return truth(relation == Relation::eq || relation == Relation::ule || relation == Relation::sle);
  if (relation == Relation::ne) return negate(compare(Relation::eq, a, b));
  const z3::expr x = bits(a), y = bits(b);
  switch (relation) {
    case Relation::eq:
      return Term(1, a.width() == 1 ? formula(a) == formula(b) : x == y);
    case Relation::ult:
      return Term(1, z3::ult(x, y));
    case Relation::ule:
      return Term(1, z3::ule(x, y));
    case Relation::slt:
      return Term(1, x < y);
    default:
      return Term(1, x <= y);
  }
}

namespace {

// Inputs in the order in which they stand.
void collect(const z3::expr& formula, std::unordered_set<unsigned>& seen, std::vector<z3::expr>& inputs) {
  std::vector<z3::expr> todo{formula};
  while (!todo.empty()) {
    const z3::expr next = todo.back();
    todo.pop_back();
    if (!next.is_app() || !seen.insert(next.id()).second) continue;
    if (next.is_const() && next.decl().decl_kind() == Z3_OP_UNINTERPRETED) inputs.push_back(next);
    for (unsigned i = next.num_args(); i > 0; --i) todo.push_back(next.arg(i - 1));
  }
}

void collect_addends(const z3::expr& sum, std::vector<z3::expr>& addends) {
  constexpr std::size_t most = 256;  // longer sums are left as they are
  if (!sum.is_app() || sum.decl().decl_kind() != Z3_OP_BADD || addends.size() > most) return addends.push_back(sum);
  for (unsigned i = 0; i < sum.num_args(); ++i) collect_addends(sum.arg(i), addends);
}

// d where `sum` is written as base + d.
std::optional<z3::expr> beyond(const z3::expr& sum, const z3::expr& base) {
  if (!sum.is_app() || sum.decl().decl_kind() != Z3_OP_BADD) return std::nullopt;
  std::vector<z3::expr> more, less;
  collect_addends(sum, more);
  collect_addends(base, less);
  if (less.size() >= more.size()) return std::nullopt;
  for (const z3::expr& one : less) {
    const auto found = std::ranges::find_if(more, [&](const z3::expr& other) { return z3::eq(one, other); });
    if (found == more.end()) return std::nullopt;
    more.erase(found);
  }
  z3::expr rest = more.front();
  for (std::size_t i = 1; i < more.size(); ++i) rest = rest + more[i];
  return rest;
}

}  // namespace

std::optional<Term> Logic::difference(const Term& sum, const Term& base) {
  if (sum.width() != base.width() || sum.width() <= 1 || sum.known()) return std::nullopt;
  if (base.known() && base.number().isZero()) return sum;
  const auto rest = beyond(sum.formula(), formula(base));
  return rest ? std::optional(Term(sum.width(), *rest)) : std::nullopt;
}

// x + d here and x there is x + (d or 0): so that counts and sums stay sums, whatever the order they are made in.
Term Logic::choose(const Term& condition, const Term& then, const Term& otherwise) {
  if (condition.known()) return condition.number().getBoolValue() ? then : otherwise;
  if (then.same(otherwise)) return then;
  if (then.width() == 1) {
    if (then.is(true) && otherwise.is(false)) return condition;
    if (then.is(false) && otherwise.is(true)) return negate(condition);
    if (then.is(false)) return both(negate(condition), otherwise);
    if (then.is(true)) return either(condition, otherwise);
    if (otherwise.is(false)) return both(condition, then);
  } else {
    const z3::expr a = formula(then), b = formula(otherwise), c = formula(condition);
    const z3::expr zero = context_.bv_val(0, then.width());
    if (const auto more = beyond(a, b)) return Term(then.width(), b + z3::ite(c, *more, zero));
    if (const auto more = beyond(b, a)) return Term(then.width(), a + z3::ite(c, zero, *more));
  }
  return Term(then.width(), z3::ite(formula(condition), formula(then), formula(otherwise)));
}

Term Logic::widen(const Term& term, unsigned width, bool sign) {
  if (width == term.width()) return term;
  if (term.known()) return Term(sign ? term.number().sext(width) : term.number().zext(width));
  if (term.width() == 1)
    return choose(term, sign ? Term(APInt::getAllOnes(width)) : number(width, 1), number(width, 0));
  const unsigned more = width - term.width();
  return Term(width, sign ? z3::sext(term.formula(), more) : z3::zext(term.formula(), more));
}

Term Logic::extract(const Term& term, unsigned low, unsigned width) {
  if (width == term.width()) return term;
  if (term.known()) return Term(term.number().extractBits(width, low));
  const z3::expr& whole = term.formula();
  if (whole.is_app() && whole.decl().decl_kind() == Z3_OP_ZERO_EXT && low == 0) {  // what widening had added goes again
    const z3::expr inner = whole.arg(0);
    const unsigned was = inner.get_sort().bv_size();
    if (was == width) return Term(width, inner);
    if (was < width) return Term(width, z3::zext(inner, width - was));
  }
  return of(width, whole.extract(low + width - 1, low));
}

Term Logic::join(const Term& high, const Term& low) {
  if (high.known() && low.known()) return Term(high.number().concat(low.number()));
  return Term(high.width() + low.width(), z3::concat(bits(high), bits(low)));
}

Term Logic::negate(const Term& truth) {
  if (truth.known()) return this->truth(!truth.number().getBoolValue());
  const z3::expr& inner = truth.formula();
  return inner.is_app() && inner.decl().decl_kind() == Z3_OP_NOT ? Term(1, inner.arg(0)) : Term(1, !inner);
}

Term Logic::overflows(Operation operation, bool sign, const Term& a, const Term& b) {
  const unsigned width = a.width();
  if (is_all(a, false) && operation != Operation::subtract) return truth(false);
  if (is_all(b, false)) return truth(false);
  const unsigned wide = operation == Operation::multiply ? 2 * width : width + 2;
  const Term result = compute(operation, widen(a, wide, sign), widen(b, wide, sign));
  return compare(Relation::ne, result, widen(extract(result, 0, width), wide, sign));
}

Term Logic::simplified(const Term& term) {
  if (term.known()) return term;
  const z3::expr simple = term.formula().simplify();
  if (term.width() == 1) {
    if (simple.is_true()) return truth(true);
    if (simple.is_false()) return truth(false);
    return Term(1, simple);
  }
  std::string digits;
  if (simple.is_numeral(digits)) return Term(APInt(term.width(), digits, 10));
  return Term(term.width(), simple);
}

z3::expr Logic::renamed(const z3::expr& formula) {
  std::unordered_set<unsigned> seen;
  std::vector<z3::expr> inputs;
  collect(formula, seen, inputs);
  z3::expr_vector from(context_), to(context_);
  for (unsigned i = 0; i < inputs.size(); ++i) {
    const z3::sort sort = inputs[i].get_sort();
    from.push_back(inputs[i]);
    to.push_back(context_.constant(("input" + std::to_string(i)).c_str(), sort));
  }
  return z3::expr(formula).substitute(from, to);
}

std::optional<bool> Logic::found(const z3::expr& renamed) const {
  const auto found = found_.find(renamed.id());
  return found == found_.end() ? std::nullopt : std::optional(found->second.second);
}

void Logic::keep(const z3::expr& renamed, bool possible) {
  found_.insert_or_assign(renamed.id(), std::pair(renamed, possible));
}

Term Logic::substituted(const Term& in, const Term& what, const Term& by) {
  if (in.known() || what.known() || what.width() == 1) return in;
  z3::expr value = in.formula();
  z3::expr_vector from(context_), to(context_);
  from.push_back(what.formula());
  to.push_back(formula(by));
  return of(in.width(), value.substitute(from, to));
}

}  // namespace hone::proof
