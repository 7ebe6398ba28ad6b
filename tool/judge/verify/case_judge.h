// Judges one case: the original's answer, the candidate's at both ends of its pages and twice, and whether they agree.
//
// Never lets the original's answers into the candidate's process: both write into memory of their own, and the
// comparison is made here. One thread; the runs are borrowed.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tool/judge/bench/bench.h"
#include "tool/judge/process/subject.h"
#include "tool/judge/verify/case_runs.h"
#include "tool/judge/verify/finding.h"
#include "tool/judge/verify/tolerance_proof.h"

namespace hone::judge {

class CaseJudge {
 public:
  explicit CaseJudge(CaseRuns& runs) : runs_(runs), bench_(runs.bench()), spec_(runs.spec()), plan_(runs.plan()) {}

  struct Care {
    bool both_ends_of_reference = true;
    bool twice = true;
    bool askew = false;  // also where arrays are aligned to their elements alone; where it is cheap, anyway
    Overlap overlap{};
  };
  Found judge(const Case& c, Care care);
  // For cases that are many: one run of the candidate, at the end of its pages.
  struct Glance {
    double reference_limit = 0.5;  // seconds, after which the original is taken to have no end there
    bool steady = false;           // scalars are others: no case where few of the original's results are finite, or
                                   // where a few units in a scalar's last place change them by more than the tolerance
    bool coarse = false;           // a twentieth is near enough
    bool askew = false;            // judged once more where not all arrays are aligned beyond their elements
    bool coarse_without_truth =
        false;  // a twentieth is near enough where the original cannot be asked in higher precision
  };
  Found glance(const Case& c, const Glance& how);
  // Arguments that overlap in part, where the original does not mind.
  Found judge_shifted(const Case& c, long long shift);
  // Puts the original's answer before the proof.
  Found examine(ToleranceProof& proof, const Case& c);
  // Nothing is found until the proof is asked. `size_less`: the same with one less; null: there is none.
  Found look_for_slight_errors(ToleranceProof& proof, const Case& c, const Case* size_less);
  // Judges a case again after a few elements of the inputs changed where they lie, as a program's data do: who
  // remembers the last call by its pointers, its sizes or some of its elements is found out. Never of an original.
  Found judge_changed(const Case& c, Bench::Change change);
  // Whether the candidate holds more with each call; the original is asked only where it does.
  Found judge_growth(const Case& c);
  Result<void> time_reference(const Case& c);  // for reference_seconds(), where nothing else was judged
  Result<bool> run_plainly(const Case& c, Subject& subject, double timeout_seconds);  // false: it did not come back

  // The worst error of the candidate's last run on the case, and the original's own where that is known; in tolerances.
  struct Errors {
    double candidate = 0;
    std::optional<double> original;
  };
  Result<std::optional<Errors>> errors(const Case& c);

 private:
  using Side = Bench::Side;
  using Grown = tl::expected<std::optional<Holdings>, Misdeed>;
  Found with_original(const Case& c, const std::function<std::string(const Outcome&, const Bench::Scales&)>& look);
  Grown growth_of(Subject& runner, Side side, double timeout_seconds, unsigned calls);
  Grown device_growth_of(Subject& runner, Side side, double timeout_seconds, unsigned calls);
  Grown certain_growth_of(Subject& runner, Side side, double timeout_seconds);
  Found original_differs(const Outcome& expected, const Outputs& earlier, const Outcome& other,
                         const Bench::Scales& scales);
  Found reads_outputs(const Outcome& expected, const Outputs& earlier, const Outcome& other,
                      const Bench::Scales& scales, const std::string& text);
  Found repeat(const Case& c, const Outcome& expected, const Outcome& first, const Bench::Scales& scales,
               double timeout);
  Found judge_askew(const Case& c, const Outcome& expected, const Bench::Scales& scales, double timeout, bool each_way);
  Found judge_askew(const Case& c, const Outcome& expected, const Bench::Scales& scales, double timeout, Ends ends);
  Result<std::optional<Outputs>> nudged(const Case& c, double limit);
  Found disagreement_in_numbers(const Outcome& expected, const Outcome& got, const Bench::Scales& allowed);

  CaseRuns& runs_;
  Bench& bench_;
  const KernelData& spec_;
  const bundle::Plan& plan_;
};

}  // namespace hone::judge
