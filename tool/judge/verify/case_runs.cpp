#include "tool/judge/verify/case_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tool/judge/bench/failure_text.h"
#include "tool/judge/bench/pool.h"
#include "tool/judge/data/scalar.h"

namespace hone::judge {
namespace {

constexpr unsigned most_dropped_sizes_told = 2;      // the next ones say no more
constexpr std::size_t few_elements = 16;             // an rms over fewer says little of an output's magnitude
constexpr double perturbed_reference_timeout = 0.5;  // seconds: a size that nobody declared must not hold the judge up
constexpr double slow_reference = 0.02;              // seconds, from which on one draw of the data has to do
constexpr double longest_precise = 0.05;             // seconds of the original, to be asked in higher precision too
constexpr std::size_t largest_precise = 256u << 20;  // the wide original's arrays are twice that

void keep_best(double& best, double seconds) {
  best = best == 0 ? seconds : std::min(best, seconds);
}

}  // namespace

CaseRuns::CaseRuns(const VerifySetup& setup)
    : kernel_(setup.kernel),
      spec_(setup.spec),
      plan_(setup.plan),
      clock_(setup.clock),
      traits_(setup.ground.traits()),
      reference_(&setup.reference),
      second_(&setup.second),
      original_(plan_.task == bundle::Task::reference),
      double_reference_(setup.double_reference),
      bench_(spec_, clock_, setup.ground),
      maker_(spec_, plan_, setup.reference),
      reference_seconds_(spec_.problems.size()),
      candidate_seconds_(spec_.problems.size()),
      declared_scales_(spec_.problems.size()),
      start_sanitized_(setup.start_sanitized) {}

std::string CaseRuns::place() const {
  return fmt::format("{}:{}", kernel_.file, kernel_.line);
}

void CaseRuns::use(Subject& reference, Subject& second) {
  reference_ = &reference;
  second_ = &second;
  maker_.use(reference);
}

double CaseRuns::reference_timeout(const Case& c) const {
  return c.declared() ? plan_.timeout_seconds : std::min(perturbed_reference_timeout, plan_.timeout_seconds);
}

double CaseRuns::candidate_timeout(double reference_seconds) const {
  return std::min(std::max(1.0, 20 * reference_seconds), std::max(plan_.timeout_seconds, 2 * reference_seconds));
}

tl::expected<Outcome, Misdeed> CaseRuns::run_reference(const Case& c, double timeout_seconds, runner::Manner manner) {
  auto run = bench_.run(*reference_, Side::reference, timeout_seconds, poison_of_nan(next_seed()), manner);
  if (run && c.declared()) keep_best(reference_seconds_[c.problem], run->seconds);
  return run;
}

Result<std::optional<Outputs>> CaseRuns::other_answer(const Case& c, double timeout_seconds, runner::Manner manner) {
  bench_.redraw(c);
  const auto run = run_reference(c, timeout_seconds, manner);
  if (run) return std::optional(bench_.outputs(Side::reference, *run));
  HONE_CHECK(reference_->restart());
  return std::optional<Outputs>();
}

tl::expected<Outcome, Misdeed> CaseRuns::run_candidate(const Case& c, double timeout_seconds) {
  auto run = bench_.run(*second_, Side::candidate, timeout_seconds, poison_of_numbers(next_seed()));
  if (run && c.declared()) keep_best(candidate_seconds_[c.problem], run->seconds);
  return run;
}

// A team's threads for each of many rows are slow on a size that nobody declared, the more so on a busy machine, and
// right. Where `always` is not set, that is said for teams alone.
Result<tl::expected<Outcome, Misdeed>> CaseRuns::run_patiently(const Case& c, double reference_seconds, bool always) {
  auto got = run_candidate(c, candidate_timeout(reference_seconds));
  if (got || !got.error().is_timeout || c.declared() || (!always && spec_.threads == 1)) return got;
  HONE_CHECK(second_->restart());
  return run_candidate(c, slowed_timeout);
}

Found CaseRuns::reference_failed(const Case& c, const Misdeed& misdeed) {
  HONE_CHECK(reference_->restart());
  return drop(c, misdeed);
}

Found CaseRuns::drop(const Case& c, const Misdeed& misdeed) {
  if (c.declared()) return Finding{DiagnosticCode::original_unfit, "the original " + misdeed.sentence, misdeed.detail};
  last_dropped_ = original_failed_ = true;
  ++dropped_;
  return nothing();
}

void CaseRuns::tell_dropped_size(const Case& c) {
  if (!original_failed_ || dropped_sizes_told_ == most_dropped_sizes_told) return;
  ++dropped_sizes_told_;
  tried_.note_not_tried(c.label + ", where the original fails (requires(…) can say so)");
}

Finding CaseRuns::blame(const Misdeed& misdeed) const {
  return {misdeed.code, original_ ? "the original " + misdeed.sentence : misdeed.sentence, misdeed.detail};
}

bool CaseRuns::is_few(const Case& c, std::size_t output) const {
  if (output == spec_.parameters.size()) return spec_.result.has_value();
  const Parameter& parameter = spec_.parameters[output];
  return parameter.pointer && parameter.role != Role::in && c.arrays[output].elements <= few_elements;
}

// While it is timed. Of parts nobody knows the rms of the whole.
bool CaseRuns::is_compared_by_parts(const Case& c, std::size_t output) const {
  if (output == spec_.parameters.size()) return false;
  const Parameter& parameter = spec_.parameters[output];
  return parameter.pointer && parameter.role != Role::in && c.arrays[output].bytes > Pool::most_compared_whole &&
         has_floating(parameter.element);
}

// An output of a few elements has no rms to speak of: its scale is taken over draws too.
Result<std::optional<Bench::Scales>> CaseRuns::scales(const Case& c, Scaled which) {
  const auto wanted = [&](std::size_t output) {
    return which == Scaled::all || is_few(c, output) || (which == Scaled::timed && is_compared_by_parts(c, output));
  };
  bool any = false, any_few = which == Scaled::all;
  for (std::size_t i = 0; i <= spec_.parameters.size(); ++i) any |= wanted(i), any_few |= is_few(c, i);
  if (!any) return std::optional<Bench::Scales>(Bench::Scales());
  const bool keep = c.declared() && which == Scaled::few;
  if (keep && declared_scales_[c.problem]) return declared_scales_[c.problem];

  // Many elements have the same rms in every draw.
  const bool is_slow = reference_seconds_[c.problem] > slow_reference && c.overrides.empty();
  const unsigned draws = is_slow || !any_few ? 1 : 3;
  Bench::Scales sums(spec_.parameters.size() + 1);
  unsigned drawn = 0;
  for (unsigned n = 0; n < draws; ++n) {
    HONE_TRY(const std::optional<Case> other, maker_.variant(c, next_seed()));
    if (!other) break;
    HONE_CHECK(bench_.set_up(*other));
    const auto run = run_reference(*other, reference_timeout(c));
    if (!run) {
      why_unscaled_ = run.error().sentence;
      HONE_CHECK(reference_->restart());
      return std::optional<Bench::Scales>();
    }
    const Bench::Scales scales = bench_.scales(*run);
    for (std::size_t i = 0; i < scales.size(); ++i) {
      if (!wanted(i)) continue;
      sums[i].resize(scales[i].size());
      for (std::size_t f = 0; f < scales[i].size(); ++f) sums[i][f] += scales[i][f] * scales[i][f];
    }
    ++drawn;
  }
  for (auto& fields : sums)
    for (double& sum : fields) sum = std::sqrt(sum / std::max(drawn, 1u));
  if (keep) declared_scales_[c.problem] = sums;
  return std::optional<Bench::Scales>(std::move(sums));
}

Found CaseRuns::drop_unscaled(const Case& c) {
  return drop(c,
              Misdeed{DiagnosticCode::original_unfit,
                      "did not survive other data of the same size (" + c.label + "): it " + why_unscaled_, "", false});
}

bool CaseRuns::may_know_the_truth(const Case& c) const {
  return double_reference_ && !original_ && c.bytes() <= largest_precise;
}

bool CaseRuns::is_askable(const Case& c, const Outcome& expected) const {
  return may_know_the_truth(c) && expected.seconds <= longest_precise && !bench_.overlapping();
}

// nullopt: they agree, as far as the tolerance and the truth go.
Found CaseRuns::disagreement(const Case& c, const Outcome& expected, const Outcome& got, const Bench::Scales& scales) {
  const std::string text = bench_.compare(expected, Ends::start, got, scales);
  if (text.empty()) return nothing();
  if (c.special.kind == Special::none && !c.exact && (!c.given || c.given->captured) && is_askable(c, expected)) {
    HONE_TRY(const auto truth, double_reference_->truth(c, plan_.timeout_seconds, next_seed()));
    const auto excused = truth ? double_reference_->excuse(bench_.views(Side::reference, expected, scales, Ends::start),
                                                           bench_.views(Side::candidate, got), *truth)
                               : std::nullopt;
    if (excused) {
      excuse(*excused);
      return nothing();
    }
  }
  return Finding{DiagnosticCode::result_wrong, text, ""};
}

Result<bool> CaseRuns::is_undefined(const Case& c) {
  if (!start_sanitized_) return false;
  auto sanitized = start_sanitized_();
  if (!sanitized || !(*sanitized)->ready()) return false;
  HONE_CHECK(bench_.set_up(c));
  const double timeout = 5 + 100 * reference_seconds_[c.problem];
  const auto run = bench_.run(**sanitized, Side::reference, timeout, next_seed(), runner::Manner::heap);
  if (run) return false;
  const std::string& report = run.error().detail;  // a lack of memory for copies of large arrays says nothing
  return !sanitizer_summary(report).empty() && report.find("out of memory") == std::string::npos &&
         report.find("out-of-memory") == std::string::npos;
}

void CaseRuns::note_wanted_alignment() {
  tried_.note_not_tried("arrays aligned to their elements alone: the original asks for more");
  wants_alignment_ = true;
}

void CaseRuns::excuse(double tolerances) {
  excused_ = std::max(excused_, tolerances);
}

}  // namespace hone::judge
