// What moves on by the same step in each iteration of a loop: pointers, iterators and counters.
//
//   while (n--) { *y++ = x[0] + x[1]; x += 2; }   →   n by -1, y by 1, x by 2
//
// Contract: a walker moves exactly once each iteration, wherever its steps stand, and by steps that the loop does not
// change; every use of it in the loop is known, and how far it has moved by then. Pure. Borrows the AST.
#pragma once

#include <vector>

#include "tool/transforms/calls/stable_value.h"
#include "tool/transforms/canonical/linear_sum.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

// A loop's parts as it runs.
struct LoopParts {
  const clang::Stmt* start = nullptr;
  const clang::Expr* condition = nullptr;
  bool ends_by_condition = false;      // it goes on as long as the condition does not hold
  bool at_end = false;                 // the condition is asked behind the body
  const clang::Stmt* guard = nullptr;  // the statement of the body that the condition is taken from
  const clang::Expr* step = nullptr;   // in the header
};

// nullopt: something in it is not understood, or it has no condition.
std::optional<LoopParts> parts_of(const clang::ASTContext& ast, const Loop& loop);

struct Use {
  const clang::Expr* place = nullptr;  // the name, or the step
  LinearSum moved;                     // so far, this iteration
  bool step = false;
  bool alone = false;  // nobody asks for the step's value
  bool in_condition = false;
};

struct Walker {
  const clang::VarDecl* variable = nullptr;
  LinearSum each;          // iteration moves it by so much
  LinearSum by_condition;  // and of that the condition
  std::vector<Use> uses;

  bool is_read() const;
};

std::vector<Walker> walkers_of(const KernelContext& context, const Loop& loop, const LoopParts& parts);

}  // namespace hone::frontend
