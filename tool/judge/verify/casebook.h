// The cases of one verification, as it goes: the declared problems, what was found right so far, how long the original
// takes, and how much time is spent. And who judges cases.
//
// What all passes over cases share. One thread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tool/judge/data/case.h"
#include "tool/judge/data/scalar_plan.h"
#include "tool/judge/verify/case_judge.h"
#include "tool/judge/verify/case_runs.h"
#include "tool/judge/verify/pattern_judge.h"
#include "tool/judge/verify/special_judge.h"

namespace hone::judge {

struct Casebook {
  Casebook(const VerifySetup& setup, std::vector<Case> declared);
  Casebook(const Casebook&) = delete;

  struct Timed {
    Case c;
    double seconds;  // that the original takes, about
  };
  static constexpr std::size_t roomy_bytes = 1u << 20;  // the most of a case that many patterns are tried on
  static constexpr unsigned most_dropped = 10;          // cases in all; each costs a new process

  CaseRuns runs;
  CaseJudge judge;
  SpecialJudge specials;
  PatternJudge patterns;
  const std::vector<Case> declared;
  const double budget;         // seconds; what comes after it is left out
  std::vector<Case> given;     // of the plan's, those that the original is fine with
  std::vector<Case> survived;  // of other sizes, those that the original is fine with
  std::vector<Timed> larger;   // than declared, likewise: for races

  void begin() { start_ = runs.clock().seconds(); }      // of one verification
  void leave_out(double seconds) { start_ += seconds; }  // a pass that has time of its own
  double spent() const { return runs.clock().seconds() - start_; }

  double seconds(const Case& c) const { return runs.reference_seconds(c.problem); }
  const Case& quickest() const;  // of the declared
  // Of the declared, the one of most elements that takes the original no longer and is no larger; null: there is none.
  const Case* roomiest(double seconds, std::size_t bytes) const;
  std::vector<Case> small_cases(std::size_t most) const;
  std::vector<Case> roomy_cases(std::size_t most) const;
  Result<Sizes> sizes(unsigned problem);
  std::vector<long long> constants() const;
  unsigned most_dropped_of_kind() const;  // of one kind of case

 private:
  std::vector<std::optional<Sizes>> sizes_;  // of each problem, once asked for
  double start_ = 0;
};

// Of a case that the original's harness did not make, though it made the problem.
inline Finding harness_failed(const Case& c) {
  return {DiagnosticCode::original_unfit, "the original's harness failed (" + c.label + ")", ""};
}

}  // namespace hone::judge
