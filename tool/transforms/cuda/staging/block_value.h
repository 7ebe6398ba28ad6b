// Values that all threads of a block have in common: what they follow from.
//
// Contract: a value is understood where it is made of numbers, parameters, blockIdx and the shape of the launch, of
// locals that never change and of loops' counters. What tells threads apart, reads memory or calls anything is not.
// Never changes anything. Borrows the AST and the nest.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

class BlockValue {
 public:
  // Seen from the head of a loop, which all threads reach together, and so do they the loops around it.
  BlockValue(const KernelContext& context, LoopNest& nest, const Loop& loop);

  // Adds what `value` follows from. False: threads may differ, or it is not understood.
  bool read(const clang::Stmt* value);

  // Counters of the loop and of those inside of it; by what number each is divided wherever it is used: 1 for none.
  const std::map<const clang::VarDecl*, long long>& counters() const { return counters_; }
  // Locals of the loop's body, in an order in which they can be computed.
  const std::vector<const clang::VarDecl*>& locals() const { return locals_; }

 private:
  bool read_variable(const clang::ValueDecl* declaration);
  bool read_division(const clang::BinaryOperator* division);
  const clang::VarDecl* counter_in(const clang::Expr* dividend, long long divisor);
  void use(const clang::VarDecl* counter, long long divisor);
  const Loop* loop_of(const clang::ValueDecl* counter) const;
  bool is_outside(const Loop& other) const;

  const KernelContext& context_;
  LoopNest& nest_;
  const Loop& loop_;
  std::set<const clang::ValueDecl*> written_;
  std::map<const clang::VarDecl*, long long> counters_;
  std::vector<const clang::VarDecl*> locals_;
};

// Do all threads of a block run the loop together, so that they can wait for each other in it?
bool is_run_together(const KernelContext& context, LoopNest& nest, const Loop& loop);

// What `#pragma unroll` and the like stand in front of.
const clang::Stmt* without_attributes(const clang::Stmt* statement);

}  // namespace hone::frontend
