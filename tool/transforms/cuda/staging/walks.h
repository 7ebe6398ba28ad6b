// Loops in which each thread goes along memory of its own, one element after the other: neighboring threads then read
// addresses that are a row apart.
//
//   for (int t = steps - 1; t >= 0; --t) { size_t i = r * steps + t; running = x[i] + gain * running; y[i] = running; }
//
// Contract: a loop is a walk only where its counter goes up or down by one, its conditions say how many iterations are
// left, every iteration is run to its end and threads do not wait for each other in it. A stretch is a place at which
// every iteration that the thread runs touches memory, so that a whole warp may do it ahead; what is written is written
// in every iteration, and read nowhere else. Distinct parameters are taken as distinct memory unless alias() names
// them. Never changes anything. Borrows the AST.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/device_kernel.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

// One of a walk's conditions: so many iterations are left as `from` is before `to`, and one more where `inclusive`.
struct WalkBound {
  const clang::Expr *from = nullptr, *to = nullptr;
  bool inclusive = false;
};

// Elements of an array that lie side by side and that the iterations touch one by one.
struct Stretch {
  const clang::ParmVarDecl* base = nullptr;
  const clang::VarDecl* named = nullptr;  // that, or a local that points into it: what the index counts from
  const clang::Expr* first = nullptr;     // an access at the place itself
  IndexPolynomial index;                  // of that
  std::string type;
  long long bytes = 0;
  int step = 1;  // from one iteration to the next: 1 or -1 elements
  bool is_read = false, is_written = false;
  // The accesses, and how many iterations later the place itself is there.
  std::vector<std::pair<const clang::Expr*, long long>> accesses;
};

// Do the elements lie alike in their arrays?
bool lie_alike(const Stretch& one, const Stretch& other);

struct Walk {
  const clang::ForStmt* statement = nullptr;
  const clang::VarDecl* counter = nullptr;
  std::string type;                    // of the counter
  const clang::Expr* start = nullptr;  // the counter's first value
  bool counts_down = false;
  bool counts_first = false;  // t-- in the condition: the body sees the next value
  std::vector<WalkBound> bounds;
  std::vector<Stretch> stretches;  // as they come in the body
};

// By the statement of the loop.
using Walks = std::map<const clang::Stmt*, Walk>;

// The walks that all threads reach together.
Walks walks_in(const KernelContext& context, const DeviceKernel& kernel);

}  // namespace hone::frontend
