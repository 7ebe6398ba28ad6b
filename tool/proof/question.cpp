#include "tool/proof/question.h"

#include <algorithm>
#include <unordered_set>

namespace hone::proof {
namespace {

constexpr double longest_question = 2, busy = 4;  // seconds; z3 knows the wall clock alone

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

}  // namespace

Questions::Questions(Logic& logic, Effort& effort, std::vector<Term> facts)
    : logic_(logic), effort_(effort), facts_(std::move(facts)) {
  std::erase_if(facts_, [](const Term& fact) { return fact.is(true); });
}

z3::expr Questions::renamed(const z3::expr& formula) {
  std::unordered_set<unsigned> seen;
  std::vector<z3::expr> inputs;
  collect(formula, seen, inputs);
  z3::expr_vector from(logic_.context()), to(logic_.context());
  for (unsigned i = 0; i < inputs.size(); ++i) {
    const z3::sort sort = inputs[i].get_sort();
    from.push_back(inputs[i]);
    to.push_back(logic_.context().constant(("input" + std::to_string(i)).c_str(), sort));
  }
  return z3::expr(formula).substitute(from, to);
}

Possible Questions::solve(const z3::expr& formula, bool with_facts) {
  if (effort_.left() <= 0) throw OutOfTime();
  z3::solver solver(logic_.context(), "QF_BV");
  z3::params parameters(logic_.context());
  parameters.set("timeout", static_cast<unsigned>(1000 * busy * std::min(effort_.left(), longest_question)) + 1);
  solver.set(parameters);
  solver.add(formula);
  if (with_facts)
    for (const Term& fact : facts_) solver.add(logic_.formula(fact));
  const z3::check_result result = solver.check();
  if (result == z3::sat) model_ = solver.get_model();
  return result == z3::sat ? Possible::yes : result == z3::unsat ? Possible::no : Possible::unknown;
}

Possible Questions::ask(const Term& condition) {
  const Term simple = logic_.simplified(condition);
  if (simple.is(false)) return Possible::no;
  const z3::expr formula = logic_.formula(simple);
  const z3::expr alike = renamed(formula);
  if (impossible_.contains(alike.id())) return Possible::no;
  const Possible alone = solve(formula, false);
  if (alone == Possible::no) {
    impossible_.insert(alike.id());
    kept_.push_back(alike);
  }
  return alone == Possible::no || (facts_.empty() && alone == Possible::yes) ? alone : solve(formula, true);
}

llvm::APInt Questions::example(const Term& term) {
  if (term.known()) return term.number();
  const z3::expr value = model_->eval(term.formula(), true);
  if (term.width() == 1) return llvm::APInt(1, value.is_true() ? 1 : 0);
  std::string digits;
  return value.is_numeral(digits) ? llvm::APInt(term.width(), digits, 10) : llvm::APInt(term.width(), 0);
}

}  // namespace hone::proof
