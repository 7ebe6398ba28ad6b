#include "tool/transforms/cuda/prefix_sum.h"

#include <algorithm>
#include <set>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/block_words.h"
#include "tool/transforms/cuda/group_reduction.h"

namespace hone::frontend {
namespace {

// sum += e, sum = sum + e, sum = e + sum
bool read_update(const clang::Stmt* statement, PrefixSum& scan) {
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
  if (!assignment || !assignment->isAssignmentOp()) return false;
  const clang::VarDecl* sum = local_of(assignment->getLHS());
  if (!sum || !sum->hasLocalStorage()) return false;
  const clang::Expr* increment = nullptr;
  if (assignment->getOpcode() == clang::BO_AddAssign) {
    increment = assignment->getRHS();
  } else if (assignment->getOpcode() == clang::BO_Assign) {
    const auto* added = llvm::dyn_cast<clang::BinaryOperator>(assignment->getRHS()->IgnoreParenImpCasts());
    if (!added || added->getOpcode() != clang::BO_Add) return false;
    if (is_variable(added->getLHS(), sum)) increment = added->getRHS();
    if (is_variable(added->getRHS(), sum)) increment = added->getLHS();
  }
  if (!increment || mentions(increment, sum)) return false;
  scan.sum = sum;
  scan.increment = increment;
  return true;
}

bool declared_within(const clang::VarDecl* variable, const clang::Stmt* statement) {
  const auto own = declared_in(statement);
  return std::ranges::find(own, variable) != own.end();
}

// Do the iterations write elements of their own, and read no others' of what they write?
bool writes_its_own(const clang::ASTContext& ast, const Loop& loop) {
  const auto accesses = accesses_in(ast, loop.body);
  return std::ranges::all_of(accesses, [&](const Access& write) {
    if (!write.writes) return true;
    const Stride stride = write.stride(loop.variable);
    if (stride != Stride::one && stride != Stride::other) return false;
    return std::ranges::all_of(accesses, [&](const Access& other) {
      return other.base && (other.base != write.base || (other.index && *other.index == *write.index));
    });
  });
}

// The declarations behind which the increment stands; false: it needs what the sum decides, or what is changed.
bool find_needed(const Loop& loop, const clang::Stmt* update, PrefixSum& scan) {
  std::set<const clang::ValueDecl*> unfit{scan.sum};
  for (const clang::Stmt* statement : scan.statements) {
    if (statement == update) break;
    if (!llvm::isa<clang::DeclStmt>(statement)) continue;
    const bool fits = !mentions_any(statement, unfit);
    for (const clang::VarDecl* variable : declared_in(statement))
      if (!fits || writes_variable(loop.body, variable)) unfit.insert(variable);
    if (fits) scan.needed.push_back(statement);
  }
  return !mentions_any(scan.increment, unfit);
}

}  // namespace

std::optional<PrefixSum> prefix_sum_of(const clang::ASTContext& ast, const Loop& loop) {
  if (!loop.counted || !loop.owns_variable || !loop.as_for()) return std::nullopt;
  const auto effects = effects_of(loop.body);
  if (effects.leaves || effects.continues || writes_variable(loop.body, loop.variable)) return std::nullopt;
  PrefixSum scan;
  scan.statements = statements_of(loop.body);
  const clang::Stmt* update = nullptr;
  for (const clang::Stmt* statement : scan.statements) {
    PrefixSum found;
    if (!read_update(statement, found) || declared_within(found.sum, loop.body)) continue;
    if (update) return std::nullopt;
    update = statement;
    scan.sum = found.sum;
    scan.increment = found.increment;
  }
  if (!update || !can_shuffle(ast, scan.sum->getType())) return std::nullopt;
  bool written_down = false;
  for (const clang::Stmt* statement : scan.statements) {
    if (statement == update) continue;
    written_down |= mentions(statement, scan.sum);
    if (writes_variable(statement, scan.sum)) return std::nullopt;
  }
  for (const auto* reference : all_of<clang::DeclRefExpr>(loop.body)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable && variable != scan.sum && !declared_within(variable, loop.body) &&
        writes_variable(loop.body, variable) && !variable->getType()->isPointerType())
      return std::nullopt;
  }
  if (!written_down || !writes_its_own(ast, loop) || !find_needed(loop, update, scan)) return std::nullopt;
  return scan;
}

std::string increment_text(const clang::ASTContext& ast, const PrefixSum& scan, const std::string& target) {
  const Substitution plain(ast);
  return text_of(plain, scan.needed) + target + " = " + plain.text(scan.increment) + ";\n";
}

std::string body_text(const clang::ASTContext& ast, const PrefixSum& scan, const std::string& own) {
  Substitution changes(ast);
  changes.replace(scan.increment, own);
  return text_of(changes, scan.statements);
}

}  // namespace hone::frontend
