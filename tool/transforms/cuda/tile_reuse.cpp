#include "tool/transforms/cuda/tile_reuse.h"

#include <algorithm>
#include <set>

#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

// What follows from one digit.
class DigitFlow {
 public:
  DigitFlow(const DeviceKernel& kernel, const IndexDigits& digits, std::size_t digit)
      : item_(kernel.along('x')->variable),
        own_(digits.digits[digit].places.begin(), digits.digits[digit].places.end()) {
    for (std::size_t other = 0; other < digits.digits.size(); ++other)
      if (other != digit) others_.insert(digits.digits[other].places.begin(), digits.digits[other].places.end());
    for (const JoinedDigits& joined : digits.joined)
      (joined.lower == digit || joined.lower + 1 == digit ? own_ : others_).insert(joined.place);
    for (bool grew = true; grew;) {
      grew = false;
      for (const clang::Stmt* statement : kernel.work) grew |= follow(statement);
    }
  }

  bool reaches(const clang::Stmt* statement) const {
    if (!statement || others_.contains(statement)) return false;
    if (own_.contains(statement)) return true;
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
      return reference->getDecl() == item_ || variables_.contains(reference->getDecl());
    return std::ranges::any_of(statement->children(), [&](const clang::Stmt* child) { return reaches(child); });
  }

  const std::set<const clang::ValueDecl*>& variables() const { return variables_; }

 private:
  bool follow(const clang::Stmt* statement) {
    bool grew = false;
    for (const clang::VarDecl* variable : declared_in(statement))
      if (variable->hasInit() && reaches(variable->getInit())) grew |= variables_.insert(variable).second;
    for (const auto* binary : all_of<clang::BinaryOperator>(statement)) {
      if (!binary->isAssignmentOp() || !reaches(binary->getRHS())) continue;
      const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(binary->getLHS()->IgnoreParens());
      if (target) grew |= variables_.insert(target->getDecl()).second;
    }
    return grew;
  }

  const clang::VarDecl* item_;
  std::set<const clang::Stmt*> own_, others_;
  std::set<const clang::ValueDecl*> variables_;
};

// Does a digit decide what runs within loops?
bool decides(const DigitFlow& flow, const LoopNest& nest) {
  return std::ranges::any_of(nest.loops(), [&](const Loop& loop) {
    const auto* counting = loop.as_for();
    const auto branches = all_of<clang::IfStmt>(loop.body);
    return (counting && (flow.reaches(counting->getInit()) || flow.reaches(counting->getCond()))) ||
           std::ranges::any_of(branches, [&](const clang::IfStmt* branch) { return flow.reaches(branch->getCond()); });
  });
}

// Is a step of the digit one that so many of the loop make? x[k + dk], x[(j + dj) * columns]. Unknown trips are many.
bool within(const IndexPolynomial& digit, const IndexPolynomial& loop, std::optional<long long> trips) {
  const auto own = digit.as_constant(), step = loop.as_constant();
  if (own && step) return !trips || *own <= *step * (*trips - 1);
  const auto steps = quotient(digit, loop);
  const auto number = steps ? steps->as_constant() : std::nullopt;
  return number && *number > 0 && (!trips || *number < *trips);
}

// x[k + dk]: a step of the digit is one that the loop makes, too.
bool overlaps(const clang::ASTContext& ast, const DigitFlow& flow, const LoopNest& nest, const Access& access) {
  if (!access.index) return false;
  for (const clang::ValueDecl* variable : flow.variables()) {
    const auto along = access.index->stride(variable);
    if (!along || along->terms().empty()) continue;
    for (const Loop& loop : nest.loops()) {
      if (!loop.counted || !holds(loop.body, access.expression)) continue;
      const auto by_loop = access.index->stride(loop.variable);
      if (!by_loop || by_loop->terms().empty()) continue;
      if (within(*along, *by_loop, loop.constant_trips(ast))) return true;
    }
  }
  return false;
}

// The number by which what follows from a digit is divided where loops begin with the rest; 1: there is none.
long long residues_of(const clang::ASTContext& ast, const DigitFlow& flow, const LoopNest& nest) {
  for (const Loop& loop : nest.loops()) {
    const auto* counting = loop.as_for();
    if (!counting || !counting->getInit()) continue;
    for (const auto* rest : all_of<clang::BinaryOperator>(counting->getInit())) {
      if (rest->getOpcode() != clang::BO_Rem || !flow.reaches(rest->getLHS())) continue;
      const auto by = IndexPolynomial::of(ast, rest->getRHS());
      const auto number = by ? by->as_constant() : std::nullopt;
      if (number && *number >= 2) return *number;
    }
  }
  return 1;
}

std::vector<Access> loads_in_loops(const KernelContext& context, const LoopNest& nest) {
  std::vector<Access> loads;
  for (const Loop& loop : nest.loops()) {
    if (loop.parent) continue;
    for (Access& access : accesses_in(context.ast, loop.body))
      if (access.reads && !access.writes) loads.push_back(std::move(access));
  }
  return loads;
}

}  // namespace

TileReuse tile_reuse(const KernelContext& context, const DeviceKernel& kernel, const IndexDigits& digits) {
  const LoopNest nest(context);
  const auto loads = loads_in_loops(context, nest);
  std::vector<DigitFlow> flows;
  for (std::size_t digit = 0; digit < digits.digits.size(); ++digit) flows.emplace_back(kernel, digits, digit);
  TileReuse reuse;
  reuse.branches = decides(flows[0], nest);
  reuse.residues = residues_of(context.ast, flows[0], nest);
  for (const Access& load : loads) {
    const bool moves = flows[0].reaches(load.expression);
    reuse.columns |= !moves || overlaps(context.ast, flows[0], nest, load);
    for (std::size_t digit = 1; moves && !reuse.rows && digit < flows.size(); ++digit) {
      const bool useful =
          std::ranges::any_of(loads, [&](const Access& other) { return flows[digit].reaches(other.expression); });
      if (useful && !flows[digit].reaches(load.expression) && !decides(flows[digit], nest)) reuse.rows = digit;
    }
  }
  for (std::size_t digit = 1; digit < flows.size() && !reuse.across; ++digit)
    if (digit != reuse.rows && !decides(flows[digit], nest) && std::ranges::any_of(loads, [&](const Access& load) {
          return flows[0].reaches(load.expression) && overlaps(context.ast, flows[digit], nest, load);
        }))
      reuse.across = digit;
  return reuse;
}

}  // namespace hone::frontend
