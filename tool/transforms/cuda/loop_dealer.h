// Deals out the loops of a kernel's work on one item to a team of threads, which combine what the loops sum up.
//
// What is local is computed by all threads of the team, each for itself; one of them writes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/cuda/device_text.h"
#include "tool/transforms/cuda/prefix_sum.h"

namespace hone::frontend {

struct Team {
  int lanes = 32;
  // The call that combines `value` over the team, each of whose threads gets the result.
  std::function<std::string(ReductionKind, const std::string& value)> combined;
  bool is_one_block = true;  // or part of one; else running sums are nobody's to share
  std::string barrier;       // behind a loop that writes memory
  std::string also_writes;   // what must hold beside `lane == 0` where memory is written; may be empty
  // Threads of several teams wait for each other. All of them must reach each wait, whatever their items are: nothing
  // that an item decides may stand around a loop that is dealt out. Such a loop writes no memory.
  bool waits_for_others = false;
};

// Can its iterations be dealt out? Reductions into locals of a kind that shuffles carry are all that it carries over.
bool is_dealable(const clang::ASTContext& ast, const Loop& loop);
// Can a team share it at all: dealt out, as a running sum, or in rounds of several iterations at once?
bool is_shareable(const clang::ASTContext& ast, const Loop& loop);
// Does it write what other threads can see?
bool writes_memory(const clang::ASTContext& ast, const clang::Stmt* statement);

class LoopDealer {
 public:
  LoopDealer(const KernelContext& context, Edits& edits, Substitution& changes, Team team);

  // False: something that a team cannot do together.
  bool deal(const std::vector<const clang::Stmt*>& statements);
  unsigned dealt() const { return dealt_; }
  const std::string& lane() const { return lane_; }

 private:
  bool deal(const clang::Stmt* statement);
  bool may_deal_out(const Loop& loop) const;
  std::optional<PrefixSum> prefix_sum(const Loop& loop) const;
  // `all_reach`: whether the statement runs is the same for all items.
  bool may_hold_dealt(const clang::Stmt* statement, bool all_reach);
  bool holds_dealable(const clang::Stmt* statement);
  bool leave_to_one(const clang::Stmt* statement);
  bool deal_out(const Loop& loop);
  bool deal_out(const Loop& loop, const PrefixSum& scan);
  bool may_deal_in_rounds(const Loop& loop) const;
  bool deal_out_in_rounds(const Loop& loop);

  const KernelContext& context_;
  Edits& edits_;
  Substitution& changes_;
  const Team team_;
  LoopNest nest_;
  std::string lane_;
  unsigned dealt_ = 0;
};

}  // namespace hone::frontend
