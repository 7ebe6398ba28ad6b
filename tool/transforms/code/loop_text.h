// The texts that loop transformations write again and again: headers of strips and tails, copies of statements.
//
// Contract: pure text from analyzed loops; what it writes covers every iteration exactly once for any trip count, zero
// and negative spans included. Never edits.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

// The end of the last whole strip of `width` iterations: an expression in parentheses.
std::string strips_end(const Loop& loop, long long width);
// for (int i = lo; i < strips_end; i += width)
std::string strips_header(const Loop& loop, const std::string& variable, long long width);
// The iterations that strips_header leaves: for (int i = strips_end; i < hi; i += step)
std::string tail_header(const Loop& loop, long long width);
// At most one round over all that strips_header leaves, with `variable` at its start.
std::string rest_header(const Loop& loop, const std::string& variable, long long width);
// Where the strip of `width` iterations that begins at the variable `strip` ends: an expression. The loop's step is 1.
std::string strip_end(const KernelContext& context, const Loop& loop, const std::string& strip, long long width);
// Is every value of the loop's variable known to be 0 or above? Else a difference from it may be more than its type
// holds.
bool never_below_zero(const KernelContext& context, const Loop& loop);
// All iterations as calls of function(strip, width), which is told the width as a number but for the last strip:
//   for (int s = lo; s < hi; s += 32) hi - s < 32 ? function(s, hi - s) : function(s, 32);
// `left`: how many iterations begin at `strip`.
std::string calls_of_strips(const Loop& loop, const std::string& strip, const std::string& function, long long width,
                            const std::string& left);
// for (int i = from; i < to; i += step), the loop's own variable
std::string header(const Loop& loop, const std::string& from, const std::string& to);
std::string header(const Loop& loop);

// Where a loop stands, with the #pragma lines directly in front of it: they speak of the loop that is replaced.
std::optional<TextRange> range_with_pragmas(const clang::ASTContext& ast, const clang::Stmt* loop);

// What in front of a loop asks the compiler to unroll it: a line of its own, or "".
std::string unrolling_of(const KernelContext& context, const Loop& loop);

// Variables that `statement` declares at any depth.
std::vector<const clang::VarDecl*> declared_in(const clang::Stmt* statement);
// Scalars and pointers from outside of `loop` that its body changes.
std::set<const clang::VarDecl*> changed_from_outside(const Loop& loop);
// Pointers among them: an iteration begins where the one before has left them.
bool moves_pointers(const Loop& loop);
// The variables that differ between iterations of `loop`: its own, and the locals of its body that are changed, hold
// what depends on such a variable, or are read from memory. Loops inside that count over invariant bounds keep theirs
// out, and so do `shared` ones, whose value is taken to be the same for all.
std::set<const clang::ValueDecl*> variant_variables(const Loop& loop,
                                                    const std::set<const clang::ValueDecl*>& shared = {});
// Does a loop in `statement` begin by assigning `variable`, as in `for (k = 0; …)`?
bool sets_counter(const clang::Stmt* statement, const clang::VarDecl* variable);
// Is something that `statement` declares called by a name in `expression`, which means another thing outside of it?
bool hides_names(const clang::Stmt* statement, const clang::Expr* expression);
// Is there a reference to the variable in the function, constant ones included, or is it one? That shows what it is at
// in between.
bool has_another_name(const clang::VarDecl* variable, const clang::Stmt* function);
// An integer division whose divisor may be zero: it must not be computed where nobody asked for it.
bool may_trap(const clang::Expr* value);
bool mentions_any(const clang::Stmt* statement, const std::set<const clang::ValueDecl*>& variables);

// The type of a local copy of `variable`: without const, auto resolved. "" where no plain declaration can spell it.
std::string plain_type(const clang::ASTContext& ast, clang::QualType type);

std::string braces(const std::string& text);

}  // namespace hone::frontend
