#include "tool/judge/verify/sanitized_judge.h"

#include <fmt/format.h>

#include "tool/judge/bench/failure_text.h"

namespace hone::judge {
namespace {

constexpr double least_timeout = 5, slowdown = 100;  // of sanitized objects, at the very worst

}  // namespace

double SanitizedJudge::timeout_of(const Case& c) const {
  return least_timeout + slowdown * runs_.reference_seconds(c.problem);
}

bool SanitizedJudge::is_clean(const Case& c, Subject& sanitized) {
  if (!bench_.set_up(c)) return false;
  const double timeout = timeout_of(c);
  if (bench_.run(sanitized, Side::reference, timeout, runs_.next_seed(), runner::Manner::heap)) return true;
  if (!sanitized.restart()) return false;
  return false;
}

Found SanitizedJudge::judge(const Case& c, Subject& subject, Subject* reference, std::string_view how) {
  HONE_CHECK(bench_.set_up(c));
  const double timeout = timeout_of(c);
  const auto run = bench_.run(subject, Side::candidate, timeout, runs_.next_seed(), runner::Manner::heap);
  if (run) return nothing();
  const Misdeed misdeed = run.error();
  if (misdeed.is_timeout || (reference && !is_clean(c, *reference))) {
    HONE_CHECK(subject.restart());  // not of its making: a size that the original is not made for either
    return nothing();
  }
  return Finding{misdeed.code, fmt::format("{}{}", how, misdeed.sentence), misdeed.detail};
}

Found SanitizedJudge::judge_askew(const Case& c, Subject& subject, Subject* reference, std::string_view how) {
  if (runs_.wants_alignment()) return nothing();
  HONE_CHECK(bench_.set_up(c));
  bench_.place(Ends::askew);
  const double timeout = timeout_of(c);
  const auto run = bench_.run(subject, Side::candidate, timeout, runs_.next_seed());
  if (run) return nothing();
  const Misdeed misdeed = run.error();
  if (!misdeed.is_timeout && (!reference || bench_.run(*reference, Side::reference, timeout, runs_.next_seed())))
    return Finding{misdeed.code, fmt::format("{}{}", how, misdeed.sentence), misdeed.detail};
  HONE_CHECK(subject.restart());
  if (!misdeed.is_timeout) HONE_CHECK(reference->restart());
  return nothing();
}

Found SanitizedJudge::judge_slowed(const Case& c, Subject& subject, std::string_view how) {
  HONE_TRY(const std::optional<Bench::Scales> scales, runs_.scales(c));
  if (!scales) return nothing();
  HONE_CHECK(bench_.set_up(c));
  const auto expected = runs_.run_reference(c, runs_.reference_timeout(c));
  if (!expected) {
    HONE_CHECK(runs_.reference().restart());
    return nothing();
  }
  const auto got = bench_.run(subject, Side::candidate, CaseRuns::slowed_timeout, poison_of_numbers(runs_.next_seed()));
  if (!got && (got.error().is_timeout || lacks_room(got.error().sentence))) {
    HONE_CHECK(subject.restart());  // what slows it may be all that is wrong with it
    return nothing();
  }
  if (!got) return Finding{got.error().code, fmt::format("{}{}", how, got.error().sentence), got.error().detail};
  HONE_TRY(auto finding, runs_.disagreement(c, *expected, *got, *scales));
  if (finding) finding->reason = fmt::format("{}{}", how, finding->reason);
  return finding;
}

}  // namespace hone::judge
