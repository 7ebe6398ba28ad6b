// Judges cases in whose arrays a few elements have special values: NaN, infinities, extremes, zeros.
#pragma once

#include <vector>

#include "tool/judge/data/special_values.h"
#include "tool/judge/verify/case_runs.h"

namespace hone::judge {

class SpecialJudge {
 public:
  explicit SpecialJudge(CaseRuns& runs) : runs_(runs), bench_(runs.bench()), spec_(runs.spec()), plan_(runs.plan()) {}

  // Cases that differ from `like` in special values alone. `seconds`: no more are begun after.
  Found judge(const Case& like, const std::vector<SpecialValues>& specials, double seconds);

 private:
  using Side = Bench::Side;
  Found beyond_doubt(const Case& c, const Outcome& expected, const Outcome& got, const Bench::Scales& scales,
                     const Outputs& ordinary);

  CaseRuns& runs_;
  Bench& bench_;
  const KernelData& spec_;
  const bundle::Plan& plan_;
};

}  // namespace hone::judge
