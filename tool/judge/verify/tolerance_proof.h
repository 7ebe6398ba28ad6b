// Could the comparison tell right from wrong at all? Before any candidate is judged, forged outputs are put before it
// that a lazy, lucky or slightly wrong candidate might leave.
//
// In every declared problem it must reject all zeros, a constant, and a copy of an input (or of what an inout held). In
// at least one run, small sizes included, it must reject one element that is a fifth too large, the last one stale, two
// swapped, and the result of a problem of one size less. What a forgery happens to get right does not count against it,
// nor do errors of less than a hundredth, which the default tolerance of long sums may hide. Integers are compared
// exactly, so it is always floating outputs that fail. One thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tool/judge/bench/bench.h"

namespace hone::judge {

class ToleranceProof {
 public:
  explicit ToleranceProof(const KernelData& spec) : spec_(spec) {}

  // One run of the original, whose case is set up in the bench. "", or which forgery of whole arrays would pass and the
  // tolerance that would reject it.
  std::string examine(const Bench& bench, const Outcome& expected, const Bench::Scales& scales);

  // Another run, or the same. `smaller`: what the original gives for one size less, on the same data; null: nobody
  // knows. Each slight error compares the whole array, so that small sizes come first.
  void look_for_slight_errors(const Bench& bench, const Outcome& expected, const Bench::Scales& scales,
                              const Outputs* smaller);
  // After all runs: "", or which slight error none of them would show.
  std::string overlooked() const;

  bool all_zero() const { return all_zero_; }  // in every run so far
  // "", or the name of an output that was never a number in any element: NaN equals NaN, which proves nothing.
  std::string never_a_number() const;

 private:
  using Bytes = std::vector<std::byte>;
  class Head;
  std::string whole_forgeries(const Bench& bench, const View& view, const Head& head);
  void slight_errors(const Bench& bench, const View& view, const Outputs* smaller);
  void put(const Bench& bench, const View& view, const char* what, const Bytes& forged);

  void look_for_numbers(const View& view);

  const KernelData& spec_;
  bool all_zero_ = true;
  std::map<std::string, bool> numbers_;  // by output: was there one? those without a floating element are left out
  std::map<std::pair<std::size_t, std::string>, std::string> overlooked_;  // by output and error; "": was rejected once
};

}  // namespace hone::judge
