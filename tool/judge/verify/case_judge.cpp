#include "tool/judge/verify/case_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tool/base/random.h"
#include "tool/judge/data/tried_cases.h"
#include "tool/judge/verify/coarse_scales.h"

namespace hone::judge {
namespace {

constexpr double cheap = 1e-3;           // seconds: once more is no matter
constexpr unsigned calls_of_growth = 8;  // a stretch of calls: a leak in every one shows, a cache that fills does not
constexpr double fewest_finite = 0.125;  // share of an output, of which other scalars are a case
constexpr double large_own_error = 0.2;  // of the original, in tolerances: other draws may need excuses

// Which of its outputs an original may have been meant to update.
std::string outputs_in_words(const KernelData& spec) {
  std::string names;
  for (const Parameter& parameter : spec.parameters)
    if (parameter.pointer && parameter.role == Role::out) names += (names.empty() ? "" : " or ") + parameter.name;
  return names;
}

}  // namespace

// Runs the case as in either run, and as in the other but for what outputs hold before. Does that make the difference?
Found CaseJudge::reads_outputs(const Outcome& expected, const Outputs& earlier, const Outcome& other,
                               const Bench::Scales& scales, const std::string& text) {
  const double timeout = runs_.candidate_timeout(expected.seconds);
  const std::string names = outputs_in_words(spec_);
  const auto is_the_same = [&](std::uint64_t key) -> std::optional<bool> {
    const auto run = bench_.run(runs_.second(), Side::candidate, timeout, key);
    if (!run) return std::nullopt;
    return (runs_.repeats_bitwise() ? bench_.differ(earlier, Side::candidate, *run)
                                    : bench_.compare(expected, Ends::start, *run, scales))
        .empty();
  };
  const std::uint64_t key = other.poison_key;
  if (names.empty() || is_the_same(expected.poison_key) != true || is_the_same(poison_of_nan(key)) != true ||
      is_the_same(key) != false)
    return nothing();
  return Finding{DiagnosticCode::original_unfit,
                 fmt::format("{}: the original reads {} before it writes it: annotate inout({}) where that is "
                             "meant, not out; {}",
                             runs_.place(), names, names.find(' ') != std::string::npos ? "…" : names + "[…]", text),
                 ""};
}

// The original's two processes, whose outputs held NaN here and numbers there.
Found CaseJudge::original_differs(const Outcome& expected, const Outputs& earlier, const Outcome& other,
                                  const Bench::Scales& scales) {
  const bool bitwise = runs_.repeats_bitwise();
  const std::string text =
      bitwise ? bench_.differ(earlier, Side::candidate, other) : bench_.compare(expected, Ends::start, other, scales);
  if (text.empty()) return nothing();
  HONE_TRY(auto finding, reads_outputs(expected, earlier, other, scales, text));
  if (finding || !bitwise) return finding;
  return Finding{DiagnosticCode::original_unfit, "the original is not deterministic: " + text, ""};
}

// A second time, with the other kind of poison and other canaries; where there are streams, behind other work of the
// caller's.
Found CaseJudge::repeat(const Case& c, const Outcome& expected, const Outcome& first, const Bench::Scales& scales,
                        double timeout) {
  const Outputs earlier = bench_.outputs(Side::candidate, first);
  const std::uint64_t seed = runs_.next_seed();
  const std::uint64_t key = first.poison_key & 1 ? poison_of_nan(seed) : poison_of_numbers(seed);
  const auto again = bench_.run(runs_.second(), Side::candidate, timeout, key,
                                runs_.traits().has_streams ? runner::Manner::ordered : runner::Manner::in_place);
  if (!again) return runs_.blame(again.error());
  if (!runs_.repeats_bitwise()) {
    HONE_TRY(auto finding, runs_.disagreement(c, expected, *again, scales));
    if (finding && runs_.traits().has_streams)
      finding->reason = fmt::format("{}not in the order of its caller's stream: {}",
                                    runs_.is_original() ? "the original is " : "", finding->reason);
    return finding;
  }
  const std::string text = bench_.differ(earlier, Side::candidate, *again);
  if (text.empty()) return nothing();
  // A third run with the second's surroundings: does the answer depend on those?
  const Outputs later = bench_.outputs(Side::candidate, *again);
  const auto third = bench_.run(runs_.second(), Side::candidate, timeout, key);
  const bool depends = third && bench_.differ(later, Side::candidate, *third).empty();
  return Finding{DiagnosticCode::result_unsteady,
                 (runs_.is_original() ? "the original is " : "") +
                     std::string(depends ? "dependent on memory outside of its arguments, on what a call before left "
                                           "there, or on what outputs held before: "
                                         : "not deterministic: ") +
                     text,
                 ""};
}

Found CaseJudge::judge(const Case& c, Care care) {
  runs_.begin_case();
  HONE_TRY(const std::optional<Bench::Scales> scales, runs_.scales(c));
  if (!scales) return runs_.drop_unscaled(c);
  HONE_CHECK(bench_.set_up(c, care.overlap));
  const double limit = runs_.reference_timeout(c);
  if (care.both_ends_of_reference) {
    bench_.place(Ends::end);
    if (const auto run = runs_.run_reference(c, limit); !run) return runs_.reference_failed(c, run.error());
    bench_.place(Ends::start);
  }
  const auto expected = runs_.run_reference(c, limit);
  if (!expected) return runs_.reference_failed(c, expected.error());

  const double timeout = runs_.candidate_timeout(expected->seconds);
  const auto first = runs_.run_candidate(c, timeout);
  if (!first) return runs_.blame(first.error());
  const Outputs own = runs_.is_original() ? bench_.outputs(Side::reference, *expected) : Outputs();
  const auto compared = [&](const Outcome& got) -> Found {
    HONE_TRY(auto finding, runs_.is_original() ? original_differs(*expected, own, got, *scales) : Found(nothing()));
    return finding ? Found(std::move(finding)) : runs_.disagreement(c, *expected, got, *scales);
  };
  HONE_TRY(auto finding, compared(*first));
  if (finding) return finding;
  if (care.twice) {
    HONE_TRY(finding, repeat(c, *expected, *first, *scales, timeout));
    if (finding) return finding;
  }
  bench_.place(Ends::end);
  const auto last = runs_.run_candidate(c, timeout);
  if (!last) return runs_.blame(last.error());
  HONE_TRY(finding, compared(*last));
  if (finding) return finding;
  note_case(runs_.tried(), spec_, c);
  runs_.tried().note_check("what earlier calls left, filled anew");
  if (care.twice && expected->seconds <= cheap) {
    HONE_TRY(finding, repeat(c, *expected, *last, *scales, timeout));  // here there are canaries in front
    if (finding) return finding;
  }
  if (!care.askew && expected->seconds > cheap) return nothing();
  return judge_askew(c, *expected, *scales, timeout, care.askew);
}

Found CaseJudge::judge_askew(const Case& c, const Outcome& expected, const Bench::Scales& scales, double timeout,
                             bool each_way) {
  constexpr Ends ways[] = {Ends::askew, Ends::askew_outputs, Ends::askew_inputs, Ends::askew_first, Ends::askew_second};
  for (std::size_t n = 0; n < (each_way ? std::size(ways) : 1); ++n) {
    const Ends ends = ways[each_way ? n : derive(c.seed, 0xa5e3) % std::size(ways)];
    HONE_TRY(const auto finding, judge_askew(c, expected, scales, timeout, ends));
    if (finding) return finding;
  }
  return nothing();
}

// The original is asked only where the candidate went wrong: one that faults here, too, promises nothing.
Found CaseJudge::judge_askew(const Case& c, const Outcome& expected, const Bench::Scales& scales, double timeout,
                             Ends ends) {
  if (runs_.wants_alignment()) return nothing();
  bench_.place(ends);
  const auto got = runs_.run_candidate(c, timeout);
  std::optional<Finding> finding;
  if (got) {
    HONE_TRY(finding, runs_.disagreement(c, expected, *got, scales));
  } else {
    finding = runs_.blame(got.error());
  }
  if (!finding) {
    runs_.tried().note_check("arrays aligned to their elements alone");
    return nothing();
  }
  const auto original = runs_.run_reference(c, runs_.reference_timeout(c));
  if (original) return finding;
  if (original.error().is_timeout) {
    HONE_CHECK(runs_.reference().restart());
    return finding;
  }
  runs_.note_wanted_alignment();
  HONE_CHECK(runs_.reference().restart());
  if (!got) HONE_CHECK(runs_.second().restart());
  return nothing();
}

// Where the original leaves its domain in some elements, it promises nothing of them. The others are as ever, though
// not to the last digits: beside the end of a domain those are few.
Found CaseJudge::disagreement_in_numbers(const Outcome& expected, const Outcome& got, const Bench::Scales& allowed) {
  std::string text = bench_.compare(expected, Ends::start, got, allowed, nullptr,
                                    [](const View&, const ErrorAt& at) { return !std::isfinite(at.expected); });
  return text.empty() ? nothing() : Finding{DiagnosticCode::result_wrong, std::move(text), ""};
}

// Where the original runs at both ends of its pages, it reads nothing beside its arguments: what it says, it promises.
Found CaseJudge::glance(const Case& c, const Glance& how) {
  runs_.begin_case();
  const double limit = std::min(how.reference_limit, runs_.reference_timeout(c));
  HONE_CHECK(bench_.set_up(c));
  bench_.place(Ends::end);
  if (const auto run = runs_.run_reference(c, limit); !run) return runs_.reference_failed(c, run.error());
  HONE_TRY(const std::optional<Bench::Scales> scales, runs_.scales(c));
  if (!scales) return runs_.drop_unscaled(c);
  if (bench_.present().seed != c.seed) HONE_CHECK(bench_.set_up(c));  // scales were taken over other draws
  std::optional<Outputs> nudged;
  if (how.steady) {
    HONE_TRY(nudged, this->nudged(c, limit));
    if (runs_.last_dropped()) return nothing();
  }
  bench_.redraw(c);
  const auto expected = runs_.run_reference(c, limit);
  if (!expected) return runs_.reference_failed(c, expected.error());
  const double finite = how.steady ? bench_.least_finite(*expected) : 1;
  if (finite < fewest_finite || (how.steady && nudged && !bench_.near(*nudged, *expected, *scales))) {
    runs_.drop_silently();
    return nothing();
  }
  const Bench::Scales allowed =
      how.coarse || finite < 1 || (how.coarse_without_truth && !runs_.is_askable(c, *expected))
          ? coarse_scales(bench_.views(Side::reference, *expected), bench_.scales(*expected))
          : *scales;
  bench_.place(Ends::end);
  HONE_TRY(const auto got, runs_.run_patiently(c, expected->seconds, true));
  std::optional<Finding> finding;
  if (got) {
    HONE_TRY(finding, finite < 1 ? disagreement_in_numbers(*expected, *got, allowed)
                                 : runs_.disagreement(c, *expected, *got, allowed));
  } else {
    finding = runs_.blame(got.error());
  }
  if (!finding) {
    note_case(runs_.tried(), spec_, c);
    return how.askew ? judge_askew(c, *expected, allowed, CaseRuns::slowed_timeout, false) : nothing();
  }
  HONE_TRY(const bool undefined, runs_.is_undefined(c));
  if (!undefined) return finding;
  if (!got) HONE_CHECK(runs_.second().restart());
  runs_.drop_silently();
  return nothing();
}

// What the original makes of scalars that hardly differ. nullopt: there are none to nudge, or the case is dropped.
Result<std::optional<Outputs>> CaseJudge::nudged(const Case& c, double limit) {
  const std::optional<Case> other = judge::nudged(spec_, c);
  if (!other) return std::optional<Outputs>();
  bench_.redraw(*other);
  const auto run = runs_.run_reference(*other, limit);
  if (run) return std::optional(bench_.outputs(Side::reference, *run));
  HONE_CHECK(runs_.reference_failed(*other, run.error()));
  return std::optional<Outputs>();
}

CaseJudge::Grown CaseJudge::growth_of(Subject& runner, Side side, double timeout_seconds, unsigned calls) {
  Holdings at[3];
  for (Holdings& holdings : at) {
    auto held = bench_.hold(runner, side, timeout_seconds, runs_.next_seed(), calls);
    if (!held) return tl::unexpected(held.error());
    holdings = *held;
  }
  return growth(at[0], at[1], at[2], calls);
}

// Nothing is filled anew in between, and the original has run before, so that on a device no other work comes between
// the two calls. What is wrong then, and right in a process that knows nothing of a call before, was remembered; what
// is as wrong there is the tolerance's matter, not this one's.
Found CaseJudge::judge_changed(const Case& c, Bench::Change change) {
  HONE_TRY(const std::optional<Bench::Scales> scales, runs_.scales(c));
  if (!scales) return nothing();
  runs_.tried().note_check("inputs that change between calls");
  HONE_CHECK(bench_.set_up(c));
  const std::uint64_t key = runs_.next_seed();
  const bool changes = bench_.change_inputs(key, change);
  const auto expected = runs_.run_reference(c, runs_.reference_timeout(c));
  if (!expected) return runs_.reference_failed(c, expected.error());
  const double timeout = runs_.candidate_timeout(expected->seconds);
  const auto candidate = [&] { return bench_.run(runs_.second(), Side::candidate, timeout, runs_.next_seed()); };
  bench_.redraw(c);
  bench_.renew_leftovers(false);
  const auto first = candidate();
  if (changes) bench_.change_inputs(key, change);
  const auto got = first && changes ? candidate() : first;
  bench_.renew_leftovers(true);
  if (!got) return runs_.blame(got.error());
  const std::string wrong = changes ? bench_.compare(*expected, Ends::start, *got, *scales) : "";
  if (wrong.empty()) return nothing();
  HONE_CHECK(runs_.second().restart());
  const auto afresh = candidate();
  if (!afresh) return runs_.blame(afresh.error());
  if (!bench_.compare(*expected, Ends::start, *afresh, *scales).empty()) return nothing();
  return Finding{DiagnosticCode::result_unsteady, "remembers an earlier call whose inputs were others: " + wrong, ""};
}

CaseJudge::Grown CaseJudge::device_growth_of(Subject& runner, Side side, double timeout_seconds, unsigned calls) {
  constexpr std::size_t most_stretches = 9;
  std::vector<std::uint64_t> used;
  for (;;) {
    const auto held = bench_.hold(runner, side, timeout_seconds, runs_.next_seed(), calls);
    if (!held) return tl::unexpected(held.error());
    used.push_back(held->device_bytes);
    const auto each = device_growth(used, calls, most_stretches);
    if (each) return *each > 0 ? std::optional(Holdings{.device_bytes = *each}) : std::nullopt;
  }
}

// Calls are counted twice, the second time for longer: threads come by memory of their own now and then, and others
// take a device's memory in steps as even as a leak's.
CaseJudge::Grown CaseJudge::certain_growth_of(Subject& runner, Side side, double timeout_seconds) {
  std::optional<Holdings> each;
  for (const unsigned calls : {calls_of_growth, 2 * calls_of_growth}) {
    auto grown = growth_of(runner, side, timeout_seconds, calls);
    if (!grown) return grown;
    each = *grown;
    if (!each) break;
  }
  if (each || runs_.traits().counts_every_byte) return each;
  for (const unsigned calls : {calls_of_growth, 2 * calls_of_growth}) {
    auto grown = device_growth_of(runner, side, timeout_seconds, calls);
    if (!grown || !*grown) return grown;
    each = *grown;
  }
  return each;
}

Found CaseJudge::judge_growth(const Case& c) {
  HONE_CHECK(bench_.set_up(c));
  runs_.tried().note_check("leaks, stack, modes and settings after calls");
  const auto expected = runs_.run_reference(c, runs_.reference_timeout(c));
  if (!expected) return runs_.reference_failed(c, expected.error());
  const Grown each = certain_growth_of(runs_.second(), Side::candidate, runs_.candidate_timeout(expected->seconds));
  if (!each) return runs_.blame(each.error());
  if (!*each) return nothing();
  const double timeout = runs_.reference_timeout(c);
  const Grown of_original = (*each)->device_bytes > 0
                                ? device_growth_of(runs_.reference(), Side::reference, timeout, calls_of_growth)
                                : growth_of(runs_.reference(), Side::reference, timeout, calls_of_growth);
  if (!of_original) return runs_.reference_failed(c, of_original.error());
  if (*of_original) return nothing();
  return Finding{DiagnosticCode::call_leaves, fmt::format("{} ({})", growth_words(**each), c.label), ""};
}

Found CaseJudge::judge_shifted(const Case& c, long long shift) {
  runs_.begin_case();
  HONE_TRY(const std::optional<Bench::Scales> scales, runs_.scales(c));
  if (!scales) return nothing();
  HONE_CHECK(bench_.set_up(c));
  const auto apart = runs_.run_reference(c, runs_.reference_timeout(c));
  if (!apart) return runs_.reference_failed(c, apart.error());
  const Outputs separate = bench_.outputs(Side::reference, *apart);
  HONE_CHECK(bench_.set_up(c, Overlap{true, shift}));
  const auto expected = runs_.run_reference(c, runs_.reference_timeout(c));
  if (!expected) {
    HONE_CHECK(runs_.reference().restart());
    return nothing();
  }
  if (!bench_.differ(separate, Side::reference, *expected).empty()) return nothing();  // it reads what it wrote
  const auto got = runs_.run_candidate(c, runs_.candidate_timeout(expected->seconds));
  if (!got) return runs_.blame(got.error());
  const std::string text = bench_.compare(*expected, Ends::start, *got, *scales);
  return text.empty() ? nothing() : Finding{DiagnosticCode::result_wrong, text, ""};
}

// The original's run of a case, and the scales of its outputs, to `look`.
Found CaseJudge::with_original(const Case& c,
                               const std::function<std::string(const Outcome&, const Bench::Scales&)>& look) {
  HONE_TRY(const std::optional<Bench::Scales> scales, runs_.scales(c));
  if (!scales) return nothing();
  HONE_CHECK(bench_.set_up(c));
  const auto expected = runs_.run_reference(c, runs_.reference_timeout(c));
  if (!expected) return runs_.reference_failed(c, expected.error());
  const std::string text = look(*expected, *scales);
  return text.empty() ? nothing() : Finding{DiagnosticCode::original_unfit, text, ""};
}

Found CaseJudge::examine(ToleranceProof& proof, const Case& c) {
  return with_original(
      c, [&](const Outcome& expected, const Bench::Scales& scales) { return proof.examine(bench_, expected, scales); });
}

Found CaseJudge::look_for_slight_errors(ToleranceProof& proof, const Case& c, const Case* size_less) {
  std::optional<Outputs> smaller;
  if (size_less) {
    Case less = *size_less;
    less.seed = c.seed;
    HONE_CHECK(bench_.set_up(less));
    if (const auto run = runs_.run_reference(less, runs_.reference_timeout(less)))
      smaller = bench_.outputs(Side::reference, *run);
    else
      HONE_CHECK(runs_.reference().restart());
  }
  return with_original(c, [&](const Outcome& expected, const Bench::Scales& scales) {
    proof.look_for_slight_errors(bench_, expected, scales, smaller ? &*smaller : nullptr);
    return std::string();
  });
}

Result<void> CaseJudge::time_reference(const Case& c) {
  HONE_CHECK(bench_.set_up(c));
  if (!runs_.run_reference(c, runs_.reference_timeout(c))) HONE_CHECK(runs_.reference().restart());
  return {};
}

Result<bool> CaseJudge::run_plainly(const Case& c, Subject& subject, double timeout_seconds) {
  HONE_CHECK(bench_.set_up(c));
  return bench_.run(subject, Side::candidate, timeout_seconds, runs_.next_seed()).has_value();
}

Result<std::optional<CaseJudge::Errors>> CaseJudge::errors(const Case& c) {
  HONE_TRY(const std::optional<Bench::Scales> scales, runs_.scales(c));
  HONE_CHECK(bench_.set_up(c));
  const auto expected = runs_.run_reference(c, runs_.reference_timeout(c));
  if (!expected) HONE_CHECK(runs_.reference().restart());
  if (!expected || !scales) return std::optional<Errors>();
  const auto got = runs_.run_candidate(c, runs_.candidate_timeout(expected->seconds));
  if (!got) {
    HONE_CHECK(runs_.second().restart());
    return std::optional<Errors>();
  }
  const std::vector<View> wanted = bench_.views(Side::reference, *expected, *scales);
  const std::vector<View> had = bench_.views(Side::candidate, *got);
  Errors errors{.candidate = worst_error(wanted, had)};
  if (!runs_.is_askable(c, *expected)) return std::optional(errors);
  HONE_TRY(const auto truth, runs_.double_reference()->truth(c, plan_.timeout_seconds, runs_.next_seed()));
  if (!truth) return std::optional(errors);
  errors.original = runs_.double_reference()->worst_error(wanted, wanted, *truth);
  if (*errors.original > large_own_error) runs_.excuse(*errors.original);
  errors.candidate = std::min(errors.candidate, runs_.double_reference()->worst_error(wanted, had, *truth));
  return std::optional(errors);
}

}  // namespace hone::judge
