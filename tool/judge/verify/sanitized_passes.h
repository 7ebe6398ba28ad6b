// Verification in other objects than the one that is timed: under sanitizers, on other processors, with warps that
// pause.
#pragma once

#include <string_view>
#include <vector>

#include "tool/judge/process/subject.h"
#include "tool/judge/verify/casebook.h"
#include "tool/judge/verify/sanitized_judge.h"

namespace hone::judge {

class SanitizedPasses {
 public:
  explicit SanitizedPasses(Casebook& book)
      : book_(book), runs_(book.runs), sanitized_(runs_), spec_(runs_.spec()), plan_(runs_.plan()) {}

  // Runs the sanitized objects on small cases, and on extremes of integers where the original takes them without
  // undefined behavior. `reference` is asked only about cases in which the candidate's was found guilty; may be null.
  Found verify_sanitized(Subject& subject, Subject* reference, std::string_view how);
  // Runs the objects built with ThreadSanitizer on small cases and on declared problems. `reference` as above.
  Found verify_race_free(Subject& subject, Subject* reference, std::string_view how);
  // Some cases once more, on other processors than before: what ThreadSanitizer cannot follow shows by chance only.
  Found verify_rescheduled();
  // Another object of the candidate's, whose warps pause, on small cases and on the quickest of the declared problems.
  Found verify_pausing(Subject& subject);
  // What compute-sanitizer's tools look at: small cases, or the quickest of the declared problems.
  std::vector<Case> sanitized_device_cases() const;

 private:
  Found judge_ends(Subject& subject, Subject& reference, std::string_view how);
  Found judge_wide_integers(Subject& subject, Subject& reference, std::string_view how);
  Found judge_integer_extremes(Subject& subject, Subject& reference, std::string_view how);

  Casebook& book_;
  CaseRuns& runs_;
  SanitizedJudge sanitized_;
  const KernelData& spec_;
  const bundle::Plan& plan_;
};

}  // namespace hone::judge
