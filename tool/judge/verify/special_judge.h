// Judges cases in whose arrays a few elements have special values: NaN, infinities, extremes, zeros.
#pragma once

#include <optional>
#include <vector>

#include "tool/judge/data/special_values.h"
#include "tool/judge/verify/case_runs.h"

namespace hone::judge {

class SpecialJudge {
 public:
  explicit SpecialJudge(CaseRuns& runs) : runs_(runs), bench_(runs.bench()), spec_(runs.spec()), plan_(runs.plan()) {}

  // No more cases are begun after so many seconds, unless they are among the first few.
  struct Limits {
    double seconds = 0;
    std::size_t fewest = 0;
  };
  // Cases that differ from `like` in special values alone.
  Found judge(const Case& like, const std::vector<SpecialValues>& specials, Limits limits);

 private:
  using Side = Bench::Side;
  enum class Worth { nothing, all, numbers };  // numbers: that what is a number stays one
  Result<Worth> worth(const Case& c, const Outcome& expected, const Outputs& ordinary);
  Result<std::optional<Outputs>> ordinary(const Case& c, double& seconds);
  // What the original gives otherwise, as far as that is asked for (special_values.h).
  struct Doubts {
    std::optional<Outputs> truth, flipped, up, down, farther;
  };
  Result<Doubts> doubts(const Case& c, const Outcome& expected);
  Found beyond_doubt(const Case& c, const Outcome& expected, const Outcome& got, const Bench::Scales& scales,
                     const Outputs& ordinary);

  CaseRuns& runs_;
  Bench& bench_;
  const KernelData& spec_;
  const bundle::Plan& plan_;
};

}  // namespace hone::judge
