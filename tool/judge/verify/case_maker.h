// Makes the cases that verification works on: a problem with other sizes, other scalars, other data. The original's
// harness says which sizes follow from which scalars.
//
// Where the harness fails its process is restarted, and there is no case. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tool/base/result.h"
#include "tool/bundle/bundle.h"
#include "tool/judge/data/case.h"
#include "tool/judge/data/scalar_plan.h"
#include "tool/judge/process/subject.h"

namespace hone::judge {

class CaseMaker {
 public:
  // All of it is borrowed. `reference`: the original's process.
  CaseMaker(const KernelData& spec, const bundle::Plan& plan, Subject& reference);
  void use(Subject& reference) { reference_ = &reference; }

  // The case with other sizes, or nullopt.
  Result<std::optional<Case>> make(unsigned problem, const std::vector<Override>& overrides, std::size_t memory_bytes);
  Result<std::optional<Case>> make_given(const bundle::Given& given);
  // The captured data that belong to a problem, as one case of it whose data take turns. nullopt: there are none.
  Result<std::optional<Case>> make_captured(const Case& declared);
  // The same sizes with other data, unless they were given. nullopt: there is none (a drawn scalar makes the
  // difference).
  Result<std::optional<Case>> variant(const Case& like, std::uint64_t seed);
  // Which scalars are sizes: with which an extent changes, or what an index may be.
  Result<Sizes> sizes(const Case& declared);
  // Which of the others are distances between rows: with which a section's stride changes.
  Result<Sizes> strides(const Case& declared);

  // One sequence for all that verification draws.
  std::uint64_t next_seed() { return seed_ += 0x9e3779b97f4a7c15u; }

 private:
  using Told = std::vector<long long> (CaseMaker::*)(const ExpressionValues& values) const;
  std::vector<long long> extents(const ExpressionValues& values) const;
  std::vector<long long> distances(const ExpressionValues& values) const;
  Result<Sizes> changing(const Case& declared, Told told);

  const KernelData& spec_;
  const bundle::Plan& plan_;
  Subject* reference_;
  std::uint64_t seed_;
};

}  // namespace hone::judge
