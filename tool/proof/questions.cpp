#include "tool/proof/questions.h"

#include <algorithm>

namespace hone::proof {
namespace {

constexpr double busy = 4;  // seconds of the clock for one of its own: z3 knows the clock alone

}  // namespace

Questions::Questions(Logic& logic, Effort& effort, std::vector<Term> facts)
    : logic_(logic), effort_(effort), facts_(std::move(facts)) {
  std::erase_if(facts_, [](const Term& fact) { return fact.is(true); });
}

Possible Questions::solve(const z3::expr& formula, bool with_facts, double seconds) {
  if (effort_.left() <= 0) throw OutOfTime();
  z3::solver solver(logic_.context(), "QF_BV");
  z3::params parameters(logic_.context());
  parameters.set("timeout", static_cast<unsigned>(1000 * busy * std::min(effort_.left(), seconds)) + 1);
  solver.set(parameters);
  solver.add(formula);
  if (with_facts)
    for (const Term& fact : facts_) solver.add(logic_.formula(fact));
  const z3::check_result result = solver.check();
  if (result == z3::sat) model_ = solver.get_model();
  return result == z3::sat ? Possible::yes : result == z3::unsat ? Possible::no : Possible::unknown;
}

Possible Questions::ask(const Term& condition, double seconds) {
  const Term simple = logic_.simplified(condition);
  if (simple.is(false)) return Possible::no;
  const z3::expr formula = logic_.formula(simple);
  const z3::expr alike = logic_.renamed(formula);
  if (logic_.found(alike) == false) return Possible::no;
  const Possible alone = solve(formula, false, seconds);
  if (alone == Possible::no) logic_.keep(alike, false);
  return alone == Possible::no || (facts_.empty() && alone == Possible::yes) ? alone : solve(formula, true, seconds);
}

llvm::APInt Questions::example(const Term& term) {
  if (term.known()) return term.number();
  const z3::expr value = model_->eval(term.formula(), true);
  if (term.width() == 1) return llvm::APInt(1, value.is_true() ? 1 : 0);
  std::string digits;
  return value.is_numeral(digits) ? llvm::APInt(term.width(), digits, 10) : llvm::APInt(term.width(), 0);
}

}  // namespace hone::proof
