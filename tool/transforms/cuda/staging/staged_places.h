// The places of a loop that all threads of a block read alike, with all that they come to while it runs once.
//
// Contract: only elements of a parameter that the kernel writes nothing through, whose index is understood
// (block_value.h) and whose counters take values that are known in numbers. Never changes anything. Borrows the AST and
// the nest.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

// One counter that a place depends on, and how many values of it are told apart.
struct StagedCounter {
  const Loop* loop = nullptr;
  long long divisor = 1, first = 0, step = 1, count = 0;
};

// Places that are the same for all threads.
struct StagedPlace {
  const clang::Expr* expression = nullptr;
  std::string type;
  long long bytes = 0;
  std::vector<StagedCounter> counters;  // of loops inside, outermost first
  std::vector<const clang::VarDecl*> locals;
  std::vector<std::pair<const clang::Expr*, bool>> guards;  // and whether they must not hold

  long long elements() const {
    long long count = 1;
    for (const StagedCounter& counter : counters) count *= counter.count;
    return count;
  }
};

std::vector<StagedPlace> staged_places(const KernelContext& context, LoopNest& nest, const Loop& loop);

}  // namespace hone::frontend
