// How often a loop runs, by the walkers that its condition asks.
//
//   while (p < end) p += 4;   →   (end - p + 3) / 4
//
// Contract: exact where the loop ends; of one whose condition can be stepped over (p != end) nothing is promised. Pure.
#pragma once

#include <optional>
#include <string>

#include "tool/transforms/canonical/known_values.h"
#include "tool/transforms/canonical/walkers.h"

namespace hone::frontend {

struct TripCount {
  std::vector<const clang::VarDecl*> drivers;
  std::string text;       // how often: an expression
  bool one_name = false;  // of which nothing is computed
  bool may_be_negative = false;
  std::string clamped;  // the same, never negative
  clang::QualType type;
};

// nullopt: no walker decides.
std::optional<TripCount> trip_count_of(const KernelContext& context, const Loop& loop, const LoopParts& parts,
                                       const std::vector<Walker>& walkers, const KnownValues& known);

// Where a walker stands when the loop begins.
std::optional<LinearSum> start_of(const KernelContext& context, const LoopParts& parts, const clang::VarDecl* variable,
                                  const KnownValues& known);

}  // namespace hone::frontend
