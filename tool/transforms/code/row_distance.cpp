#include "tool/transforms/code/row_distance.h"

#include <algorithm>
#include <set>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

using Variables = std::set<const clang::ValueDecl*>;

bool local_to(const Loop& loop, const clang::ValueDecl* variable) {
  const auto own = declared_in(loop.statement);
  return std::find(own.begin(), own.end(), variable) != own.end();
}

// The two loops whose rows are compared, as they stand in the kernel.
struct Rows {
  const KernelContext& context;
  const Loop &before, &after;
  const Loop* around;
  int most;
  const std::set<const clang::ValueDecl*> written;  // anywhere in the kernel
};

// It has one value for all rows: nothing writes it, and it is not made anew for each.
bool is_steady(const Rows& rows, const clang::ValueDecl* variable) {
  if (!llvm::isa<clang::VarDecl>(variable) || variable->getType()->isReferenceType()) return false;
  if (local_to(rows.around ? *rows.around : rows.before, variable) || local_to(rows.after, variable)) return false;
  return !rows.written.contains(variable);
}

// Variables that are at least 1 wherever two rows are compared: what rows are long and loops count up to.
void add_extents(const Rows& rows, const IndexPolynomial& polynomial, Variables& extents) {
  for (const auto& [monomial, factor] : polynomial.terms())
    if (factor > 0)
      for (auto* part : monomial)
        if (is_steady(rows, part)) extents.insert(part);
}

void add_extents(const Rows& rows, const Loop& loop, Variables& extents) {
  if (auto upper = IndexPolynomial::of(rows.context.ast, loop.upper)) add_extents(rows, *upper, extents);
  for (const Loop* child : loop.children)
    if (child->counted) add_extents(rows, *child, extents);
}

// Not negative for any extents of at least 1: no factor is, once each extent counts from 1.
bool never_negative(const IndexPolynomial& polynomial, const Variables& extents) {
  IndexPolynomial from_one;
  for (const auto& [monomial, factor] : polynomial.terms()) {
    IndexPolynomial product = IndexPolynomial::constant(factor);
    for (auto* part : monomial) {
      if (!extents.contains(part)) return false;
      product = product * (IndexPolynomial::variable(part) + IndexPolynomial::constant(1));
    }
    from_one = from_one + product;
  }
  return std::all_of(from_one.terms().begin(), from_one.terms().end(),
                     [](const auto& term) { return term.second > 0; });
}

std::optional<IndexPolynomial> last_of(const clang::ASTContext& ast, const Loop& loop) {
  auto upper = IndexPolynomial::of(ast, loop.upper);
  if (!upper || loop.inclusive) return upper;
  return *upper - IndexPolynomial::constant(1);
}

// The loop inside `row` and around `expression` that counts with `variable`.
const Loop* counting_loop(const Loop& row, const clang::Expr* expression, const clang::ValueDecl* variable) {
  for (const Loop* child : row.children) {
    if (!holds(child->statement, expression)) continue;
    return child->counted && child->variable == variable ? child : counting_loop(*child, expression, variable);
  }
  return nullptr;
}

// The innermost of the loops inside `row` and around `expression` whose counter `polynomial` mentions.
const Loop* deepest(const Loop& row, const clang::Expr* expression, const IndexPolynomial& polynomial) {
  const Loop* found = nullptr;
  for (const auto& [monomial, factor] : polynomial.terms()) {
    for (auto* part : monomial) {
      const Loop* loop = counting_loop(row, expression, part);
      if (loop && (!found || loop->depth > found->depth)) found = loop;
    }
  }
  return found;
}

enum class End { least, greatest };

// What `polynomial` is at least, or at most, over all iterations of the loops inside `row`.
std::optional<IndexPolynomial> bound(const clang::ASTContext& ast, const Loop& row, const clang::Expr* expression,
                                     IndexPolynomial polynomial, End end, const Variables& extents) {
  for (int rounds = 0; rounds < 8; ++rounds) {
    const Loop* loop = deepest(row, expression, polynomial);
    if (!loop) return polynomial;
    auto slope = polynomial.stride(loop->variable);
    auto first = IndexPolynomial::of(ast, loop->lower), last = last_of(ast, *loop);
    if (!slope || !first || !last) return std::nullopt;
    const bool rises = never_negative(*slope, extents);
    if (!rises && !never_negative(IndexPolynomial::constant(0) - *slope, extents)) return std::nullopt;
    const IndexPolynomial& extreme = rises == (end == End::greatest) ? *last : *first;
    polynomial = polynomial + *slope * (extreme - IndexPolynomial::variable(loop->variable));
  }
  return std::nullopt;
}

// An access of one row, without what the row's number adds: its places in the row.
struct PlaceInRow {
  IndexPolynomial row_length, column;
};

std::optional<PlaceInRow> place_in_row(const Access& access, const Loop& row) {
  auto length = access.index->stride(row.variable);
  if (!length || length->terms().empty()) return std::nullopt;
  return PlaceInRow{*length, *access.index - *length * IndexPolynomial::variable(row.variable)};
}

// The least distance at which `apart`, the most that two columns differ, leaves the row.
std::optional<int> rows_crossed(const IndexPolynomial& length, const IndexPolynomial& apart, const Variables& extents,
                                int most) {
  for (int rows = -most; rows <= most; ++rows)
    if (never_negative(length * IndexPolynomial::constant(rows + 1) - IndexPolynomial::constant(1) - apart, extents))
      return rows;
  return std::nullopt;
}

// A counter of a loop around everything that is compared.
bool counts_around(const Rows& rows, const clang::ValueDecl* variable) {
  for (const Loop* loop = (rows.around ? rows.around : &rows.before)->parent; loop; loop = loop->parent)
    if (loop->counted && loop->variable == variable) return true;
  return false;
}

// The bound is the same number in whatever iterations the two rows belong to.
bool is_common(const Rows& rows, const IndexPolynomial& bound) {
  return std::all_of(bound.terms().begin(), bound.terms().end(), [&](const auto& term) {
    return std::all_of(term.first.begin(), term.first.end(), [&](const clang::ValueDecl* part) {
      return is_steady(rows, part) || counts_around(rows, part);
    });
  });
}

std::optional<int> distance(const Rows& rows, const Access& one, const Access& other) {
  auto mine = place_in_row(one, rows.before), its = place_in_row(other, rows.after);
  if (!mine || !its || !(mine->row_length == its->row_length)) return std::nullopt;
  Variables extents;
  add_extents(rows, mine->row_length, extents);
  add_extents(rows, rows.before, extents);
  add_extents(rows, rows.after, extents);
  if (!never_negative(mine->row_length - IndexPolynomial::constant(1), extents)) return std::nullopt;
  const clang::ASTContext& ast = rows.context.ast;
  auto least = bound(ast, rows.before, one.expression, mine->column, End::least, extents);
  auto greatest = bound(ast, rows.after, other.expression, its->column, End::greatest, extents);
  if (!least || !greatest || !is_common(rows, *least) || !is_common(rows, *greatest)) return std::nullopt;
  return rows_crossed(mine->row_length, *greatest - *least, extents, rows.most);
}

// Members of a struct are apart where neither holds the other.
bool may_meet(const Access& one, const Access& other) {
  if (one.base != other.base || !(one.writes || other.writes)) return false;
  return one.member.starts_with(other.member) || other.member.starts_with(one.member);
}

// Calls that the accesses do not show: operators, methods, and what is handed a pointer.
bool hides_accesses(const clang::CallExpr* call) {
  if (llvm::isa<clang::CXXOperatorCallExpr, clang::CXXMemberCallExpr>(call)) return true;
  return std::any_of(call->arg_begin(), call->arg_end(), [](const clang::Expr* argument) {
    return argument->getType()->isPointerType() || argument->getType()->isRecordType();
  });
}

bool counts_inside(const Loop& loop, const clang::VarDecl* variable) {
  return std::any_of(loop.children.begin(), loop.children.end(), [&](const Loop* child) {
    return (child->counted && child->variable == variable) || counts_inside(*child, variable);
  });
}

bool changes_outer_variables(const Loop& loop) {
  return std::ranges::any_of(changed_from_outside(loop),
                             [&](const clang::VarDecl* variable) { return !counts_inside(loop, variable); });
}

// The annotation says that they may be the same memory as another parameter's.
bool may_overlap(const KernelContext& context, const clang::ValueDecl* base) {
  const auto& data = context.spec.parameters;
  for (unsigned i = 0; i < context.kernel->getNumParams() && i < data.size(); ++i)
    if (context.kernel->getParamDecl(i) == base) return data[i].alias_group != -1 || data[i].composed;
  return false;
}

// Memory of its own: an array, or what a parameter points to. Another pointer may lead anywhere.
bool is_plain(const KernelContext& context, const Loop& row, const Access& access) {
  auto* base = llvm::dyn_cast_or_null<clang::VarDecl>(access.base);
  if (!base || !access.index || base->getType()->isReferenceType()) return false;
  const bool array = base->getType()->isArrayType();
  if (local_to(row, base)) return array && base->hasLocalStorage();
  if (!array && !llvm::isa<clang::ParmVarDecl>(base)) return false;
  return !may_overlap(context, base) && (array || !writes_variable(context.kernel->getBody(), base));
}

}  // namespace

bool has_plain_rows(const KernelContext& context, const Loop& loop) {
  const Effects effects = effects_of(loop.body);
  if (!loop.counted || loop.step != 1 || effects.leaves || effects.calls_unknown) return false;
  if (!IndexPolynomial::of(context.ast, loop.lower) || !IndexPolynomial::of(context.ast, loop.upper)) return false;
  const auto calls = all_of<clang::CallExpr>(loop.body);
  if (std::any_of(calls.begin(), calls.end(), hides_accesses) || changes_outer_variables(loop)) return false;
  const auto accesses = accesses_in(context.ast, loop.body);
  return std::all_of(accesses.begin(), accesses.end(),
                     [&](const Access& access) { return is_plain(context, loop, access); });
}

std::optional<int> row_distance(const KernelContext& context, const Loop& before, const Loop& after, const Loop* around,
                                int most) {
  const Rows rows{context, before, after, around, most, written_in(context.kernel->getBody())};
  const auto later = accesses_in(context.ast, after.body);
  int farthest = -most;
  for (const Access& one : accesses_in(context.ast, before.body)) {
    for (const Access& other : later) {
      if (!may_meet(one, other) || local_to(before, one.base) || local_to(after, other.base)) continue;
      auto apart = distance(rows, one, other);
      if (!apart) return std::nullopt;
      farthest = std::max(farthest, *apart);
    }
  }
  return farthest;
}

bool share_written_array(const KernelContext& context, const Loop& before, const Loop& after) {
  const auto mine = accesses_in(context.ast, before.body), its = accesses_in(context.ast, after.body);
  return std::any_of(mine.begin(), mine.end(), [&](const Access& one) {
    return std::any_of(its.begin(), its.end(), [&](const Access& other) { return may_meet(one, other); });
  });
}

}  // namespace hone::frontend
