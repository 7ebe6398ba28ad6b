// Judges cases on data by pattern: which of them the original bears, and what the candidate makes of those.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "tool/judge/data/pattern.h"
#include "tool/judge/verify/case_runs.h"

namespace hone::judge {

class PatternJudge {
 public:
  explicit PatternJudge(CaseRuns& runs) : runs_(runs), bench_(runs.bench()), spec_(runs.spec()), plan_(runs.plan()) {}

  // Cases that differ from `like` in patterns alone. `first_alone`: one that the original bears is enough (of
  // magnitudes the second: at the edge of the type's range the order of operations decides).
  Found judge(const Case& like, const std::vector<Pattern>& patterns, bool first_alone, double seconds);
  // Small integers, where the original's arithmetic is exact on them: then equality is demanded.
  Found judge_exact(const Case& like);

 private:
  using Side = Bench::Side;
  Result<std::optional<Outcome>> borne(const Case& c);
  Result<bool> rounding_decides(const Case& c, const Bench::Scales& scales);
  Result<bool> lost_on_its_way(const Case& c, const Outcome& expected, const Outcome& got, const Bench::Scales& scales);
  Result<Bench::Scales> patterned_scales(const Case& c);
  Bench::Scales allowed(const Case& c, const Outcome& expected, const Bench::Scales& scales);
  Result<bool> is_exact(const Case& c, std::set<double>& values);

  CaseRuns& runs_;
  Bench& bench_;
  const KernelData& spec_;
  const bundle::Plan& plan_;
};

}  // namespace hone::judge
