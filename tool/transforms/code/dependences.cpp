#include "tool/transforms/code/dependences.h"

#include <algorithm>
#include <cstdlib>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

// The loop that counts with `variable`, among those inside `loop` and around it.
const Loop* counted_by(const Loop& loop, const clang::ValueDecl* variable) {
  if (loop.counted && loop.variable == variable) return &loop;
  for (const Loop* child : loop.children)
    if (const Loop* found = counted_by(*child, variable)) return found;
  return nullptr;
}

// Is `variable` less than `length` in all that runs? It counts up to it, or up to a variable of which that is known.
bool stays_below(const clang::ASTContext& ast, const Loop& root, const clang::ValueDecl* variable,
                 const clang::ValueDecl* length, unsigned depth = 0) {
  const Loop* loop = counted_by(root, variable);
  auto upper = loop ? IndexPolynomial::of(ast, loop->upper) : std::nullopt;
  if (!upper || depth > 4) return false;
  if (loop->inclusive) upper = *upper + IndexPolynomial::constant(1);
  for (const auto& [monomial, factor] : upper->terms()) {
    if (monomial.size() != 1 || factor != 1) continue;
    auto beyond = (*upper - IndexPolynomial::variable(monomial[0])).as_constant();
    if (!beyond) return false;
    if (monomial[0] == length) return *beyond <= 0;
    return *beyond <= 1 && stays_below(ast, root, monomial[0], length, depth + 1);
  }
  return false;
}

const Loop& root_of(const Loop& loop) {
  return loop.parent ? root_of(*loop.parent) : loop;
}

// Along rows (stride 1): places that differ by whole rows are never the same in two iterations.
bool whole_rows(const clang::ASTContext& ast, const Loop& loop, const IndexPolynomial& apart) {
  for (auto* length : apart.terms().begin()->first) {
    const bool everywhere = std::all_of(apart.terms().begin(), apart.terms().end(), [&](const auto& term) {
      return std::find(term.first.begin(), term.first.end(), length) != term.first.end();
    });
    if (everywhere && llvm::isa<clang::ParmVarDecl>(length) && stays_below(ast, root_of(loop), loop.variable, length))
      return true;
  }
  return false;
}

// From row to row: places whose columns are counted within a row are the same in one iteration at most.
bool within_rows(const clang::ASTContext& ast, const Loop& loop, const IndexPolynomial& stride,
                 const IndexPolynomial& apart) {
  if (stride.terms().size() != 1) return false;
  const auto& [length, factor] = *stride.terms().begin();
  if (length.size() != 1 || factor != 1 || !llvm::isa<clang::ParmVarDecl>(length[0])) return false;
  unsigned ahead = 0, behind = 0;
  for (const auto& [column, sign] : apart.terms()) {
    if (column.size() != 1 || !stays_below(ast, root_of(loop), column[0], length[0])) return false;
    (sign > 0 ? ahead : behind) += sign == 1 || sign == -1 ? 1 : 2;
  }
  return ahead <= 1 && behind <= 1;
}

// All accesses stand in one assignment: what each place sees is then ordered as the iterations are.
bool in_one_assignment(const Loop& loop, const std::vector<const Access*>& accesses) {
  for (auto* assignment : all_of<clang::BinaryOperator>(loop.body)) {
    if (!assignment->isAssignmentOp()) continue;
    if (std::all_of(accesses.begin(), accesses.end(),
                    [&](const Access* access) { return holds(assignment, access->expression); }))
      return true;
  }
  return false;
}

bool keep_order(const clang::ASTContext& ast, const Loop& loop, const Access& write,
                const std::vector<const Access*>& others) {
  for (const Access* other : others) {
    if (!other->index) return false;
    auto mine = write.index->stride(loop.variable), its = other->index->stride(loop.variable);
    if (!mine || !its || !(*mine == *its)) return false;
    const IndexPolynomial apart = *write.index - *other->index;
    if (apart.as_constant() == 0) {
      if (mine->as_constant() == 0 && !in_one_assignment(loop, others)) return false;
    } else if (mine->as_constant() == 1 ? !whole_rows(ast, loop, apart) : !within_rows(ast, loop, *mine, apart)) {
      return false;
    }
  }
  return true;
}

}  // namespace

IterationDistances::IterationDistances(const Loop& loop) : loop_(loop), carried_(changed_from_outside(loop)) {
  carried_.erase(loop.variable);
  for (auto* variable : declared_in(loop.statement)) own_.insert(variable);
}

// But for the loop's own counter, nothing in the subscript changes from one iteration to the next.
bool IterationDistances::moves_with_counter_alone(const IndexPolynomial& index) const {
  return std::ranges::all_of(index.terms(), [&](const auto& term) {
    return std::ranges::all_of(term.first, [&](const clang::ValueDecl* part) {
      auto* variable = llvm::dyn_cast<clang::VarDecl>(part);
      return part == loop_.variable || (variable && !carried_.contains(variable) && !own_.contains(variable));
    });
  });
}

std::optional<long long> IterationDistances::between(const Access& first, const Access& second) const {
  if (!first.base || first.base != second.base || first.member != second.member || own_.contains(first.base))
    return std::nullopt;
  if (!first.index || !second.index) return std::nullopt;
  const auto apart = (*first.index - *second.index).as_constant();
  if (!apart || !moves_with_counter_alone(*first.index) || !moves_with_counter_alone(*second.index))
    return std::nullopt;
  if (*apart == 0) return 0;
  const auto stride = first.index->stride(loop_.variable);
  const auto step = stride ? stride->as_constant() : std::nullopt;
  if (!step || *step == 0 || *apart % (*step * loop_.step) != 0) return std::nullopt;
  return *apart / (*step * loop_.step);
}

bool reads_what_it_just_wrote(const clang::ASTContext& ast, const Loop& loop) {
  constexpr long long few = 8;  // fewer than a vector's elements, mostly
  if (!loop.counted) return false;
  const auto accesses = accesses_in(ast, loop.body);
  const IterationDistances distances(loop);
  return std::ranges::any_of(accesses, [&](const Access& write) {
    return write.writes && std::ranges::any_of(accesses, [&](const Access& read) {
             const auto apart = read.reads ? distances.between(write, read) : std::nullopt;
             return apart && *apart > 0 && *apart < few;
           });
  });
}

bool iterations_meet(const clang::ASTContext& ast, const Loop& loop) {
  if (!loop.counted) return false;
  const auto accesses = accesses_in(ast, loop.body);
  if (accesses.size() > most_compared) return false;
  const auto variant = variant_variables(loop);
  const auto assignments = all_of<clang::BinaryOperator>(loop.body);
  const auto leaves_its_own = [&](const Access& write) {
    return std::ranges::any_of(assignments, [&](const clang::BinaryOperator* one) {
      return one->isAssignmentOp() && holds(one->getLHS(), write.expression) && mentions_any(one->getRHS(), variant);
    });
  };
  return std::ranges::any_of(accesses, [&](const Access& write) {
    if (!write.writes || !write.base || !write.index || declares(loop.statement, write.base) ||
        write.index->depends_on(loop.variable) || !leaves_its_own(write))
      return false;
    return std::ranges::any_of(accesses, [&](const Access& read) {
      return read.reads && read.base == write.base && read.member == write.member &&
             !in_one_assignment(loop, {&read, &write});
    });
  });
}

bool copies_keep_order(const clang::ASTContext& ast, const Loop& loop) {
  if (!loop.counted) return false;
  const Effects effects = effects_of(loop.body);
  const auto own = declared_in(loop.statement);
  if (effects.leaves || effects.calls_unknown || !changed_from_outside(loop).empty()) return false;
  const auto accesses = accesses_in(ast, loop.body);
  for (const Access& write : accesses) {
    if (!write.writes) continue;
    if (!write.base || !write.index) return false;
    if (std::find(own.begin(), own.end(), write.base) != own.end()) continue;
    std::vector<const Access*> others;
    for (const Access& access : accesses) {
      if (!access.base) return false;
      if (access.base == write.base && access.member == write.member) others.push_back(&access);
    }
    if (!keep_order(ast, loop, write, others)) return false;
  }
  return true;
}

namespace {

// How many iterations apart two accesses touch the same place: 0 for the same one; nullopt: it is not known.
std::optional<long long> iterations_apart(const Loop& loop, const Access& write, const Access& other) {
  if (!other.index) return std::nullopt;
  const auto mine = write.index->stride(loop.variable), its = other.index->stride(loop.variable);
  if (!mine || !its || !(*mine == *its)) return std::nullopt;
  const auto stride = mine->as_constant(), apart = (*write.index - *other.index).as_constant();
  if (!stride || *stride == 0 || !apart || *apart % (*stride * loop.step) != 0) return std::nullopt;
  return std::abs(*apart / (*stride * loop.step));
}

}  // namespace

std::optional<long long> dependence_distance(const clang::ASTContext& ast, const Loop& loop) {
  const Effects effects = effects_of(loop.body);
  if (!loop.counted || effects.leaves || effects.continues || effects.calls_unknown ||
      !changed_from_outside(loop).empty())
    return std::nullopt;
  const auto own = declared_in(loop.statement);
  const auto accesses = accesses_in(ast, loop.body);
  std::optional<long long> shortest;
  for (const Access& write : accesses) {
    if (!write.writes) continue;
    if (!write.base || !write.index) return std::nullopt;
    if (std::ranges::count(own, write.base) > 0) continue;
    for (const Access& other : accesses) {
      if (!other.base) return std::nullopt;
      if (other.base != write.base || other.member != write.member) continue;
      const auto apart = iterations_apart(loop, write, other);
      if (!apart) return std::nullopt;
      if (*apart > 0 && (!shortest || *apart < *shortest)) shortest = apart;
    }
  }
  return shortest;
}

}  // namespace hone::frontend
