// Judges one case in other objects of the candidate's than the one that is timed: under sanitizers, or slowed so that a
// race shows. The original in the same kind of object tells what is the case's fault.
#pragma once

#include <string_view>

#include "tool/judge/process/subject.h"
#include "tool/judge/verify/case_runs.h"

namespace hone::judge {

class SanitizedJudge {
 public:
  explicit SanitizedJudge(CaseRuns& runs) : runs_(runs), bench_(runs.bench()) {}

  // A run under the sanitizers; `reference`, which may be null, is asked only where the subject was found guilty.
  // `how` begins the finding: "under the sanitizers: ".
  Found judge(const Case& c, Subject& subject, Subject* reference, std::string_view how);
  // A run under the sanitizers on the arrays where they lie, aligned to their elements alone: UBSan sees what a
  // processor may forgive.
  Found judge_askew(const Case& c, Subject& subject, Subject* reference, std::string_view how);
  // Another object of the candidate's, which may take much longer; `how` as above.
  Found judge_slowed(const Case& c, Subject& subject, std::string_view how);
  bool is_clean(const Case& c, Subject& sanitized);  // restarts it when not

 private:
  using Side = Bench::Side;
  double timeout_of(const Case& c) const;

  CaseRuns& runs_;
  Bench& bench_;
};

}  // namespace hone::judge
