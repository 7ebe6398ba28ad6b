// Does the candidate compute what the original computes? On every declared problem and on perturbed sizes, several
// seeds, arrays at both ends of their pages, outputs poisoned, special values, overlaps as declared, twice for
// determinism, once under the sanitizers. What makes a case, and how many; CaseJudge judges each.
//
// Small sizes come first: most wrong candidates fail there, within milliseconds. How long it goes on depends on the
// plan's depth; a winner is also tried on sizes that no trial gets. One thread; the processes are borrowed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/bundle/bundle.h"
#include "tool/judge/verify/casebook.h"
#include "tool/judge/verify/sanitized_passes.h"
#include "tool/judge/verify/size_passes.h"
#include "tool/judge/verify/value_passes.h"

namespace hone::judge {

class Verifier {
 public:
  Verifier(const VerifySetup& setup, std::vector<Case> declared);
  Verifier(const Verifier&) = delete;
  // Other processes with the same objects are asked from now on.
  void use(Subject& reference, Subject& second) { runs_.use(reference, second); }

  // Of a candidate. nullopt: nothing wrong was found.
  Found verify_candidate();
  // Of the original: every declared problem, and whether the tolerances could tell right from wrong.
  Found verify_original();
  // After timing: a declared problem, and those small sizes again that were right before.
  Found verify_again(unsigned problem, std::uint64_t seed);
  // In other objects, on the cases that were found right before.
  SanitizedPasses& sanitized() { return sanitized_; }

  // The declared problem for a program that counts what is executed: the longest that it can be asked for.
  Result<Case> counted_case();
  // One call on it. Its label; nullopt: the call did not come back.
  Result<std::optional<std::string>> run_counted(Subject& subject);

  // Whether each declared problem took the candidate less than half of the original's time, or one of them more than
  // twice as long, as far as single calls tell.
  bool clearly_faster() const;
  bool clearly_slower() const;
  // Of a declared problem's outputs of few elements, over several draws; empty for others, and where the original
  // failed. Wider where the candidate's differences were excused.
  Result<Bench::Scales> scales(const Case& timed);
  // The problems as they are to be timed: on captured data where there are such.
  Result<std::vector<Case>> timed_cases();

  // How much of the tolerance a right candidate takes, on the quickest declared problems.
  Result<std::optional<CaseJudge::Errors>> errors();

  // Between two verifications: the memory is needed for something else.
  void release_memory() { runs_.bench().release_memory(); }

  const Tried& tried() const { return book_.runs.tried(); }                                      // so far
  double reference_seconds(unsigned problem) const { return runs_.reference_seconds(problem); }  // 0 when unknown

 private:
  Found judge_given();
  Found judge_declared();
  Found judge_overlapping();
  Found judge_growth();
  Found judge_changed();
  Result<void> look_at_crowds(ToleranceProof& proof);

  unsigned captured_ = 0;  // inputs of the user's program that were judged
  Casebook book_;
  CaseRuns& runs_;
  SizePasses sizes_;
  ValuePasses values_;
  SanitizedPasses sanitized_;
  const KernelData& spec_;
  const bundle::Plan& plan_;
};

}  // namespace hone::judge
