#include "tool/judge/verify/case_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tool/base/random.h"
#include "tool/judge/bench/failure_text.h"
#include "tool/judge/data/scalar.h"
#include "tool/judge/data/special_values.h"
#include "tool/judge/data/tried_cases.h"

namespace hone::judge {
namespace {

constexpr std::size_t few_elements = 16;
constexpr double perturbed_reference_timeout = 0.5;
constexpr double special_reference_timeout = 0.1;  // a special value that sends it on a long way is no case
constexpr unsigned most_special_drops = 3;
constexpr double cheap = 1e-3;            // seconds: once more is no matter
constexpr double longest_precise = 0.05;  // seconds of the original, for it to be asked in higher precision too
constexpr double slowed_timeout = 10;
constexpr unsigned calls_of_growth = 8;
constexpr double large_own_error = 0.2;  // of the original, in tolerances: other draws may need excuses
constexpr std::size_t largest_precise = 256u << 20;

// Scales of which the default tolerances are about a twentieth.
Bench::Scales coarse(const std::vector<View>& views, Bench::Scales scales) {
  for (const View& view : views)
    for (std::size_t f = 0; f < scales[view.output].size(); ++f) {
      const ScalarType& type = view.comparison.element.fields[f].type;
      scales[view.output][f] *= type.size == 2 ? (type.brain ? 3 : 50) : type.size == 4 ? 5e3 : 5e10;
    }
  return scales;
}

void keep_best(double& best, double seconds) {
  best = best == 0 ? seconds : std::min(best, seconds);
}

}  // namespace

CaseJudge::CaseJudge(const VerifySetup& setup)
    : spec_(setup.spec),
      plan_(setup.plan),
      clock_(setup.clock),
      traits_(setup.ground.traits()),
      reference_(&setup.reference),
      second_(&setup.second),
      original_(plan_.task == bundle::Task::reference),
      precision_(setup.precision),
      bench_(spec_, clock_, setup.ground),
      reference_seconds_(spec_.problems.size()),
      candidate_seconds_(spec_.problems.size()),
      declared_scales_(spec_.problems.size()),
      seed_(derive(plan_.seed, 0x7e51f1)),
      start_sanitized_(setup.start_sanitized) {}

void CaseJudge::use(Subject& reference, Subject& second) {
  reference_ = &reference;
  second_ = &second;
}

double CaseJudge::reference_timeout(const Case& c) const {
  return c.declared() ? plan_.timeout_seconds : std::min(perturbed_reference_timeout, plan_.timeout_seconds);
}

double CaseJudge::candidate_timeout(double reference_seconds) const {
  return std::min(std::max(1.0, 20 * reference_seconds), std::max(plan_.timeout_seconds, 2 * reference_seconds));
}

tl::expected<Outcome, Misdeed> CaseJudge::run_reference(const Case& c, double timeout_seconds) {
  auto run = bench_.run(*reference_, Side::reference, timeout_seconds, poison_of_nan(next_seed()));
  if (run && c.declared()) keep_best(reference_seconds_[c.problem], run->seconds);
  return run;
}

tl::expected<Outcome, Misdeed> CaseJudge::run_candidate(const Case& c, double timeout_seconds) {
  auto run = bench_.run(*second_, Side::candidate, timeout_seconds, poison_of_numbers(next_seed()));
  if (run && c.declared()) keep_best(candidate_seconds_[c.problem], run->seconds);
  return run;
}

// A team's threads for each of many rows are slow on a size that nobody declared, the more so on a busy machine, and
// right. Where `always` is not set, that is said for teams alone.
Result<tl::expected<Outcome, Misdeed>> CaseJudge::run_patiently(const Case& c, double reference_seconds, bool always) {
  auto got = run_candidate(c, candidate_timeout(reference_seconds));
  if (got || !got.error().is_timeout || c.declared() || (!always && spec_.threads == 1)) return got;
  HONE_CHECK(second_->restart());
  return run_candidate(c, slowed_timeout);
}

Found CaseJudge::reference_failed(const Case& c, const Misdeed& misdeed) {
  HONE_CHECK(reference_->restart());
  if (c.declared()) return Finding{"the original " + misdeed.sentence, misdeed.detail};
  last_dropped_ = true;
  ++dropped_;
  return nothing();
}

Finding CaseJudge::blame(const Misdeed& misdeed) const {
  return {original_ ? "the original " + misdeed.sentence : misdeed.sentence, misdeed.detail};
}

Result<std::optional<Case>> CaseJudge::make(unsigned problem, const std::vector<Override>& overrides,
                                            std::size_t memory_bytes) {
  auto made =
      make_case(spec_, *reference_, problem, next_seed(), overrides, std::min(memory_bytes, plan_.memory_bytes));
  if (made) return std::optional<Case>(std::move(*made));
  if (made.error().failure) HONE_CHECK(reference_->restart());
  return std::optional<Case>();
}

Result<std::optional<Case>> CaseJudge::make_given(const bundle::Given& given) {
  auto made = make_given_case(spec_, *reference_, given);
  if (made) return std::optional<Case>(std::move(*made));
  if (made.error().failure) HONE_CHECK(reference_->restart());
  return std::optional<Case>();
}

Result<std::optional<Case>> CaseJudge::variant(const Case& like, std::uint64_t seed) {
  if (like.given) return std::optional<Case>(like);
  auto made = make_case(spec_, *reference_, like.problem, seed, like.overrides, plan_.memory_bytes);
  if (made) return std::optional<Case>(std::move(*made));
  if (made.error().failure) HONE_CHECK(reference_->restart());
  return std::optional<Case>();
}

bool CaseJudge::is_few(const Case& c, std::size_t output) const {
  if (output == spec_.parameters.size()) return spec_.result.has_value();
  const Parameter& parameter = spec_.parameters[output];
  return parameter.pointer && parameter.role != Role::in && c.arrays[output].elements <= few_elements;
}

// An output of a few elements has no rms to speak of: its scale is taken over draws too.
Result<std::optional<Bench::Scales>> CaseJudge::scales(const Case& c, bool all) {
  const auto wanted = [&](std::size_t output) { return all || is_few(c, output); };
  bool any = false;
  for (std::size_t i = 0; i <= spec_.parameters.size(); ++i) any |= wanted(i);
  if (!any) return std::optional<Bench::Scales>(Bench::Scales());
  const bool keep = c.declared() && !all;
  if (keep && declared_scales_[c.problem]) return declared_scales_[c.problem];

  const unsigned draws = reference_seconds_[c.problem] > 0.02 && c.overrides.empty() ? 1 : 3;
  Bench::Scales sums(spec_.parameters.size() + 1);
  unsigned drawn = 0;
  for (unsigned n = 0; n < draws; ++n) {
    HONE_TRY(const std::optional<Case> other, variant(c, next_seed()));
    if (!other) break;
    HONE_CHECK(bench_.set_up(*other));
    const auto run = run_reference(*other, reference_timeout(c));
    if (!run) {
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

bool CaseJudge::may_know_the_truth(const Case& c) const {
  return precision_ && !original_ && c.bytes() <= largest_precise;
}

bool CaseJudge::is_askable(const Case& c, const Outcome& expected) const {
  return may_know_the_truth(c) && expected.seconds <= longest_precise && !bench_.overlapping();
}

// nullopt: they agree, as far as the tolerance and the truth go.
Found CaseJudge::disagreement(const Case& c, const Outcome& expected, const Outcome& got, const Bench::Scales& scales) {
  const std::string text = bench_.compare(expected, Ends::start, got, scales);
  if (text.empty()) return nothing();
  if (c.special.kind == Special::none && !c.exact && !c.given && is_askable(c, expected)) {
    HONE_TRY(const auto truth, precision_->truth(c, plan_.timeout_seconds, next_seed()));
    const auto excused = truth ? precision_->excuse(bench_.views(Side::reference, expected, scales, Ends::start),
                                                    bench_.views(Side::candidate, got), *truth)
                               : std::nullopt;
    if (excused) {
      excused_ = std::max(excused_, *excused);
      return nothing();
    }
  }
  return Finding{text, ""};
}

// Which of its outputs an original may have been meant to update.
std::string outputs_in_words(const KernelSpec& spec) {
  std::string names;
  for (const Parameter& parameter : spec.parameters)
    if (parameter.pointer && parameter.role == Role::out) names += (names.empty() ? "" : " or ") + parameter.name;
  return names;
}

// Once more as in either run, and as in the other but for what outputs hold before: does that make the difference?
Found CaseJudge::reads_outputs(const Outcome& expected, const Outputs& earlier, const Outcome& other,
                               const Bench::Scales& scales, const std::string& text) {
  const double timeout = candidate_timeout(expected.seconds);
  const std::string names = outputs_in_words(spec_);
  const auto is_the_same = [&](std::uint64_t key) -> std::optional<bool> {
    const auto run = bench_.run(*second_, Side::candidate, timeout, key);
    if (!run) return std::nullopt;
    return (repeats_bitwise() ? bench_.differ(earlier, Side::candidate, *run)
                              : bench_.compare(expected, Ends::start, *run, scales))
        .empty();
  };
  const std::uint64_t key = other.poison_key;
  if (names.empty() || is_the_same(expected.poison_key) != true || is_the_same(poison_of_nan(key)) != true ||
      is_the_same(key) != false)
    return nothing();
  return Finding{
      fmt::format("{}:{}: the original reads {} before it writes it: annotate inout({}) where that is "
                  "meant, not out; {}",
                  spec_.file, spec_.line, names, names.find(' ') != std::string::npos ? "…" : names + "[…]", text),
      ""};
}

// The original's two processes, whose outputs held NaN here and numbers there.
Found CaseJudge::original_differs(const Outcome& expected, const Outputs& earlier, const Outcome& other,
                                  const Bench::Scales& scales) {
  const bool bitwise = repeats_bitwise();
  const std::string text =
      bitwise ? bench_.differ(earlier, Side::candidate, other) : bench_.compare(expected, Ends::start, other, scales);
  if (text.empty()) return nothing();
  HONE_TRY(auto finding, reads_outputs(expected, earlier, other, scales, text));
  if (finding || !bitwise) return finding;
  return Finding{"the original is not deterministic: " + text, ""};
}

// A second time, with the other kind of poison and other canaries; where there are streams, behind other work of the
// caller's.
Found CaseJudge::repeat(const Case& c, const Outcome& expected, const Outcome& first, const Bench::Scales& scales,
                        double timeout) {
  const Outputs earlier = bench_.outputs(Side::candidate, first);
  const std::uint64_t seed = next_seed();
  const std::uint64_t key = first.poison_key & 1 ? poison_of_nan(seed) : poison_of_numbers(seed);
  const auto again = bench_.run(*second_, Side::candidate, timeout, key,
                                traits_.has_streams ? runner::Manner::ordered : runner::Manner::in_place);
  if (!again) return blame(again.error());
  if (!repeats_bitwise()) {
    HONE_TRY(auto finding, disagreement(c, expected, *again, scales));
    if (finding && traits_.has_streams)
      finding->reason = fmt::format("{}not in the order of its caller's stream: {}",
                                    original_ ? "the original is " : "", finding->reason);
    return finding;
  }
  const std::string text = bench_.differ(earlier, Side::candidate, *again);
  if (text.empty()) return nothing();
  // Once more with the same surroundings: does it depend on those?
  const Outputs later = bench_.outputs(Side::candidate, *again);
  const auto third = bench_.run(*second_, Side::candidate, timeout, key);
  const bool depends = third && bench_.differ(later, Side::candidate, *third).empty();
  return Finding{(original_ ? "the original is " : "") +
                     std::string(depends ? "dependent on memory outside of its arguments, on what a call before left "
                                           "there, or on what outputs held before: "
                                         : "not deterministic: ") +
                     text,
                 ""};
}

Found CaseJudge::judge(const Case& c, Care care) {
  last_dropped_ = false;
  HONE_TRY(const std::optional<Bench::Scales> scales, this->scales(c));
  if (!scales)
    return reference_failed(c, Misdeed{"did not survive other data of the same size (" + c.label + ")", "", false});
  HONE_CHECK(bench_.set_up(c, care.overlap));
  const double limit = reference_timeout(c);
  if (care.both_ends_of_reference) {
    bench_.place(Ends::end);
    if (const auto run = run_reference(c, limit); !run) return reference_failed(c, run.error());
    bench_.place(Ends::start);
  }
  const auto expected = run_reference(c, limit);
  if (!expected) return reference_failed(c, expected.error());

  const double timeout = candidate_timeout(expected->seconds);
  const auto first = run_candidate(c, timeout);
  if (!first) return blame(first.error());
  const Outputs own = original_ ? bench_.outputs(Side::reference, *expected) : Outputs();
  const auto compared = [&](const Outcome& got) -> Found {
    HONE_TRY(auto finding, original_ ? original_differs(*expected, own, got, *scales) : Found(nothing()));
    return finding ? Found(std::move(finding)) : disagreement(c, *expected, got, *scales);
  };
  HONE_TRY(auto finding, compared(*first));
  if (finding) return finding;
  if (care.twice) {
    HONE_TRY(finding, repeat(c, *expected, *first, *scales, timeout));
    if (finding) return finding;
  }
  bench_.place(Ends::end);
  const auto last = run_candidate(c, timeout);
  if (!last) return blame(last.error());
  HONE_TRY(finding, compared(*last));
  if (finding) return finding;
  note_case(tried_, spec_, c);
  tried_.note_check("what earlier calls left, filled anew");
  if (care.twice && expected->seconds <= cheap) {
    HONE_TRY(finding, repeat(c, *expected, *last, *scales, timeout));  // here there are canaries in front
    if (finding) return finding;
  }
  if (!care.askew && expected->seconds > cheap) return nothing();
  return judge_askew(c, *expected, *scales, timeout, care.askew);
}

Found CaseJudge::judge_askew(const Case& c, const Outcome& expected, const Bench::Scales& scales, double timeout,
                             bool each_way) {
  constexpr Ends ways[] = {Ends::askew, Ends::askew_outputs, Ends::askew_inputs};
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
  if (wants_alignment_) return nothing();
  bench_.place(ends);
  const auto got = run_candidate(c, timeout);
  std::optional<Finding> finding;
  if (got) {
    HONE_TRY(finding, disagreement(c, expected, *got, scales));
  } else {
    finding = blame(got.error());
  }
  if (!finding) {
    tried_.note_check("arrays aligned to their elements alone");
    return nothing();
  }
  const auto original = run_reference(c, reference_timeout(c));
  if (original) return finding;
  if (original.error().is_timeout) {
    HONE_CHECK(reference_->restart());
    return finding;
  }
  tried_.note_not_tried("arrays aligned to their elements alone: the original asks for more");
  wants_alignment_ = true;
  HONE_CHECK(reference_->restart());
  if (!got) HONE_CHECK(second_->restart());
  return nothing();
}

// Where the original runs at both ends of its pages, it reads nothing beside its arguments: what it says, it promises.
Found CaseJudge::glance(const Case& c, const Glance& how) {
  last_dropped_ = false;
  const double limit = std::min(how.reference_limit, reference_timeout(c));
  HONE_CHECK(bench_.set_up(c));
  bench_.place(Ends::end);
  if (const auto run = run_reference(c, limit); !run) return reference_failed(c, run.error());
  HONE_TRY(const std::optional<Bench::Scales> scales, this->scales(c));
  if (!scales)
    return reference_failed(c, Misdeed{"did not survive other data of the same size (" + c.label + ")", "", false});
  if (bench_.present().seed != c.seed) HONE_CHECK(bench_.set_up(c));  // scales were taken over other draws
  std::optional<Outputs> nudged;
  if (how.steady) {
    HONE_TRY(nudged, this->nudged(c, limit));
    if (last_dropped_) return nothing();
  }
  bench_.redraw(c);
  const auto expected = run_reference(c, limit);
  if (!expected) return reference_failed(c, expected.error());
  last_dropped_ = how.steady && !(bench_.is_finite(*expected) && (!nudged || bench_.near(*nudged, *expected, *scales)));
  if (last_dropped_) return nothing();
  const Bench::Scales allowed = how.coarse || (how.coarse_without_truth && !is_askable(c, *expected))
                                    ? coarse(bench_.views(Side::reference, *expected), bench_.scales(*expected))
                                    : *scales;
  bench_.place(Ends::end);
  HONE_TRY(const auto got, run_patiently(c, expected->seconds, true));
  std::optional<Finding> finding;
  if (got) {
    HONE_TRY(finding, disagreement(c, *expected, *got, allowed));
  } else {
    finding = blame(got.error());
  }
  if (!finding) {
    note_case(tried_, spec_, c);
    return how.askew ? judge_askew(c, *expected, allowed, slowed_timeout, false) : nothing();
  }
  HONE_TRY(const bool undefined, is_undefined(c));
  if (!undefined) return finding;
  if (!got) HONE_CHECK(second_->restart());
  last_dropped_ = true;
  return nothing();
}

// What the original makes of scalars that hardly differ. nullopt: there are none to nudge, or the case is dropped.
Result<std::optional<Outputs>> CaseJudge::nudged(const Case& c, double limit) {
  const std::optional<Case> other = judge::nudged(spec_, c);
  if (!other) return std::optional<Outputs>();
  bench_.redraw(*other);
  const auto run = run_reference(*other, limit);
  if (run) return std::optional(bench_.outputs(Side::reference, *run));
  HONE_CHECK(reference_failed(*other, run.error()));
  return std::optional<Outputs>();
}

Result<bool> CaseJudge::is_undefined(const Case& c) {
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

std::vector<long long> CaseJudge::extents(const ExpressionValues& values) const {
  std::vector<long long> result;
  for (const Parameter& parameter : spec_.parameters) {
    for (const Dimension& dimension : parameter.extent) {
      result.push_back(values.integers[dimension.length]);
      if (dimension.start) result.push_back(values.integers[*dimension.start]);
    }
    if (parameter.init && parameter.init->distribution == Distribution::index)
      for (const ExpressionId id : parameter.init->arguments) result.push_back(values.integers[id]);
  }
  return result;
}

Result<Sizes> CaseJudge::sizes(const Case& declared) {
  Sizes sizes(spec_.parameters.size());
  const std::vector<long long> extents = this->extents(declared.values);
  for (std::size_t index = 0; index < sizes.size(); ++index) {
    const Parameter& parameter = spec_.parameters[index];
    if (parameter.pointer || parameter.stream || parameter.element.fields.size() != 1) continue;
    const ScalarType& type = scalar_type(parameter);
    if (type.kind == ScalarKind::floating) continue;
    const long long value = integer_value(type, declared.scalars[index]);
    for (const long long other : {value + 1, value / 2, 2 * (value / 4) + 3}) {
      if (sizes[index]) break;
      std::vector<runner::Scalar> scalars = declared.scalars;
      set_integer(type, scalars[index], other);
      const auto values = reference_->evaluate(scalars, spec_.expression_count);
      if (!values) HONE_CHECK(reference_->restart());
      sizes[index] = !values || this->extents(*values) != extents;
    }
  }
  return sizes;
}

CaseJudge::Grown CaseJudge::growth_of(Subject& runner, Side side, double timeout_seconds, unsigned calls) {
  Holdings at[3];
  for (Holdings& holdings : at) {
    auto held = bench_.hold(runner, side, timeout_seconds, next_seed(), calls);
    if (!held) return tl::unexpected(held.error());
    holdings = *held;
  }
  return growth(at[0], at[1], at[2], calls);
}

// Nothing is filled anew in between. What is wrong then, and right in a process that knows nothing of a call before,
// was remembered; what is as wrong there is the tolerance's matter, not this one's.
Found CaseJudge::judge_changed(const Case& c) {
  HONE_TRY(const std::optional<Bench::Scales> scales, this->scales(c));
  if (!scales) return nothing();
  tried_.note_check("inputs that change between calls");
  HONE_CHECK(bench_.set_up(c));
  const auto before = run_reference(c, reference_timeout(c));
  if (!before) return reference_failed(c, before.error());
  const double timeout = candidate_timeout(before->seconds);
  bench_.renew_leftovers(false);
  const auto candidate = [&] { return bench_.run(*second_, Side::candidate, timeout, next_seed()); };
  const auto first = candidate();
  const bool changed = first && bench_.change_inputs(next_seed());
  const auto expected = changed ? run_reference(c, reference_timeout(c)) : before;
  const auto got = changed && expected ? candidate() : first;
  bench_.renew_leftovers(true);
  if (!expected) return reference_failed(c, expected.error());
  if (!got) return blame(got.error());
  const std::string wrong = changed ? bench_.compare(*expected, Ends::start, *got, *scales) : "";
  if (wrong.empty()) return nothing();
  HONE_CHECK(second_->restart());
  const auto afresh = candidate();
  if (!afresh) return blame(afresh.error());
  if (!bench_.compare(*expected, Ends::start, *afresh, *scales).empty()) return nothing();
  return Finding{"remembers an earlier call whose inputs were others: " + wrong, ""};
}

// Twice, for longer: threads come by memory of their own now and then.
Found CaseJudge::judge_growth(const Case& c) {
  HONE_CHECK(bench_.set_up(c));
  tried_.note_check("leaks, stack, modes and settings after calls");
  const auto expected = run_reference(c, reference_timeout(c));
  if (!expected) return reference_failed(c, expected.error());
  const double timeout = candidate_timeout(expected->seconds);
  std::optional<Holdings> each;
  for (const unsigned calls : {calls_of_growth, 2 * calls_of_growth}) {
    const Grown grown = growth_of(*second_, Side::candidate, timeout, calls);
    if (!grown) return blame(grown.error());
    each = *grown;
    if (!each) return nothing();
  }
  const Grown of_original = growth_of(*reference_, Side::reference, reference_timeout(c), calls_of_growth);
  if (!of_original) return reference_failed(c, of_original.error());
  if (*of_original) return nothing();
  return Finding{fmt::format("{} ({})", growth_words(*each), c.label), ""};
}

Found CaseJudge::judge_special(const Case& like, const std::vector<Sprinkling>& specials, double seconds) {
  const double start = clock_.seconds();
  HONE_TRY(const std::optional<Bench::Scales> scales, this->scales(like));
  if (!scales) return nothing();
  HONE_CHECK(bench_.set_up(like));
  unsigned drops = 0;
  for (const Sprinkling& special : specials) {
    if (clock_.seconds() - start > seconds || drops >= most_special_drops) break;
    Case c = like;
    c.seed = next_seed();
    bench_.redraw(c);
    const auto plain = run_reference(c, reference_timeout(c));
    if (!plain) return reference_failed(c, plain.error());
    const Outputs ordinary = bench_.outputs(Side::reference, *plain);
    c.special = special;
    bench_.redraw(c);
    const auto expected = run_reference(c, std::max(special_reference_timeout, 20 * plain->seconds));
    if (!expected) {
      ++drops;
      HONE_TRY(const auto finding, reference_failed(c, expected.error()));
      continue;
    }
    Promise promise;
    for (const View& view : bench_.views(Side::reference, *expected)) {
      const Promise of_one = promise_of(special, view.comparison, ordinary.bytes[view.output].data(), view.data);
      promise = {promise.kept || of_one.kept, promise.astray || of_one.astray};
    }
    if (!promise.kept || promise.astray) continue;
    const auto got = run_candidate(c, candidate_timeout(expected->seconds));
    if (!got) return blame(got.error());
    if (const std::string text = bench_.compare(*expected, Ends::start, *got, *scales, &ordinary); !text.empty()) {
      HONE_TRY(const auto finding, beyond_doubt(c, *expected, *got, *scales, ordinary));
      if (finding) return finding;
    }
    note_case(tried_, spec_, c);
  }
  return nothing();
}

// What they differ in, as far as the original's own answer leaves no doubt (special_values.h). The case is set up.
Found CaseJudge::beyond_doubt(const Case& c, const Outcome& expected, const Outcome& got, const Bench::Scales& scales,
                              const Outputs& ordinary) {
  std::optional<Outputs> truth, flipped;
  if (is_askable(c, expected)) {
    HONE_TRY(truth, precision_->truth(c, plan_.timeout_seconds, next_seed()));
  }
  std::optional<Outcome> again = expected;
  if (c.special.kind == Special::small) {
    Case other = c;
    other.special.round ^= 1;
    bench_.redraw(other);
    if (const auto run = run_reference(other, reference_timeout(other)); run)
      flipped = bench_.outputs(Side::reference, *run);
    else
      HONE_CHECK(reference_->restart());
    bench_.redraw(c);
    const auto run = run_reference(c, reference_timeout(c));
    if (!run) return reference_failed(c, run.error());
    again = *run;
  }
  const auto pardons = [&](const View& view, const ErrorAt& at) {
    if (plan_.finite_math) return !std::isfinite(at.expected) && !std::isfinite(at.got);
    const Field& field = view.comparison.element.fields[at.field];
    return visit_scalar(field.type, [&]<class T>(Tag<T>) {
      std::optional<double> exactly, turned;
      if constexpr (is_floating<T>) {
        if (truth)
          exactly = as_double(from_double<T>(precision_->true_value(view.output, view.comparison.element, at, *truth)));
        if (flipped) turned = as_double(load<T>(flipped->bytes[view.output].data() + at.offset));
      }
      return may_be_another(c.special.kind, at, exactly, turned);
    });
  };
  const std::string text = bench_.compare(*again, Ends::start, got, scales, &ordinary, pardons);
  return text.empty() ? nothing() : Finding{text, ""};
}

Found CaseJudge::judge_shifted(const Case& c, long long shift) {
  last_dropped_ = false;
  HONE_TRY(const std::optional<Bench::Scales> scales, this->scales(c));
  if (!scales) return nothing();
  HONE_CHECK(bench_.set_up(c));
  const auto apart = run_reference(c, reference_timeout(c));
  if (!apart) return reference_failed(c, apart.error());
  const Outputs separate = bench_.outputs(Side::reference, *apart);
  HONE_CHECK(bench_.set_up(c, Overlap{true, shift}));
  const auto expected = run_reference(c, reference_timeout(c));
  if (!expected) {
    HONE_CHECK(reference_->restart());
    return nothing();
  }
  if (!bench_.differ(separate, Side::reference, *expected).empty()) return nothing();  // it reads what it wrote
  const auto got = run_candidate(c, candidate_timeout(expected->seconds));
  if (!got) return blame(got.error());
  const std::string text = bench_.compare(*expected, Ends::start, *got, *scales);
  return text.empty() ? nothing() : Finding{text, ""};
}

Found CaseJudge::examine(Oracle& oracle, const Case& c, const Case* size_less) {
  std::optional<Outputs> smaller;
  if (size_less) {
    Case less = *size_less;
    less.seed = c.seed;
    HONE_CHECK(bench_.set_up(less));
    if (const auto run = run_reference(less, reference_timeout(less)))
      smaller = bench_.outputs(Side::reference, *run);
    else
      HONE_CHECK(reference_->restart());
  }
  HONE_TRY(const std::optional<Bench::Scales> scales, this->scales(c));
  if (!scales) return nothing();
  HONE_CHECK(bench_.set_up(c));
  const auto expected = run_reference(c, reference_timeout(c));
  if (!expected) return reference_failed(c, expected.error());
  const std::string text = oracle.examine(bench_, *expected, *scales, smaller ? &*smaller : nullptr);
  return text.empty() ? nothing() : Finding{text, ""};
}

bool CaseJudge::is_clean(const Case& c, Subject& sanitized) {
  if (!bench_.set_up(c)) return false;
  const double timeout = 5 + 100 * reference_seconds_[c.problem];
  if (bench_.run(sanitized, Side::reference, timeout, next_seed(), runner::Manner::heap)) return true;
  if (!sanitized.restart()) return false;
  return false;
}

Result<void> CaseJudge::time_reference(const Case& c) {
  HONE_CHECK(bench_.set_up(c));
  if (!run_reference(c, reference_timeout(c))) HONE_CHECK(reference_->restart());
  return {};
}

Result<bool> CaseJudge::run_plainly(const Case& c, Subject& subject, double timeout_seconds) {
  HONE_CHECK(bench_.set_up(c));
  return bench_.run(subject, Side::candidate, timeout_seconds, next_seed()).has_value();
}

Found CaseJudge::judge_sanitized(const Case& c, Subject& subject, Subject* reference, std::string_view how) {
  HONE_CHECK(bench_.set_up(c));
  const double timeout = 5 + 100 * reference_seconds_[c.problem];
  const auto run = bench_.run(subject, Side::candidate, timeout, next_seed(), runner::Manner::heap);
  if (run) return nothing();
  const Misdeed misdeed = run.error();
  if (misdeed.is_timeout || (reference && !is_clean(c, *reference))) {
    HONE_CHECK(subject.restart());  // not of its making: a size that the original is not made for either
    return nothing();
  }
  return Finding{fmt::format("{}{}", how, misdeed.sentence), misdeed.detail};
}

Found CaseJudge::judge_sanitized_askew(const Case& c, Subject& subject, Subject* reference, std::string_view how) {
  if (wants_alignment_) return nothing();
  HONE_CHECK(bench_.set_up(c));
  bench_.place(Ends::askew);
  const double timeout = 5 + 100 * reference_seconds_[c.problem];
  const auto run = bench_.run(subject, Side::candidate, timeout, next_seed());
  if (run) return nothing();
  const Misdeed misdeed = run.error();
  if (!misdeed.is_timeout && (!reference || bench_.run(*reference, Side::reference, timeout, next_seed())))
    return Finding{fmt::format("{}{}", how, misdeed.sentence), misdeed.detail};
  HONE_CHECK(subject.restart());
  if (!misdeed.is_timeout) HONE_CHECK(reference->restart());
  return nothing();
}

Found CaseJudge::judge_slowed(const Case& c, Subject& subject, std::string_view how) {
  HONE_TRY(const std::optional<Bench::Scales> scales, this->scales(c));
  if (!scales) return nothing();
  HONE_CHECK(bench_.set_up(c));
  const auto expected = run_reference(c, reference_timeout(c));
  if (!expected) {
    HONE_CHECK(reference_->restart());
    return nothing();
  }
  const auto got = bench_.run(subject, Side::candidate, slowed_timeout, poison_of_numbers(next_seed()));
  if (!got && (got.error().is_timeout || lacks_room(got.error().sentence))) {
    HONE_CHECK(subject.restart());  // what slows it may be all that is wrong with it
    return nothing();
  }
  if (!got) return Finding{fmt::format("{}{}", how, got.error().sentence), got.error().detail};
  HONE_TRY(auto finding, disagreement(c, *expected, *got, *scales));
  if (finding) finding->reason = fmt::format("{}{}", how, finding->reason);
  return finding;
}

Result<std::optional<CaseJudge::Errors>> CaseJudge::errors(const Case& c) {
  HONE_TRY(const std::optional<Bench::Scales> scales, this->scales(c));
  HONE_CHECK(bench_.set_up(c));
  const auto expected = run_reference(c, reference_timeout(c));
  if (!expected) HONE_CHECK(reference_->restart());
  if (!expected || !scales) return std::optional<Errors>();
  const auto got = run_candidate(c, candidate_timeout(expected->seconds));
  if (!got) {
    HONE_CHECK(second_->restart());
    return std::optional<Errors>();
  }
  const std::vector<View> wanted = bench_.views(Side::reference, *expected, *scales);
  const std::vector<View> had = bench_.views(Side::candidate, *got);
  Errors errors{.candidate = worst_error(wanted, had)};
  const bool askable = precision_ && c.bytes() <= largest_precise && expected->seconds <= longest_precise;
  if (!askable) return std::optional(errors);
  HONE_TRY(const auto truth, precision_->truth(c, plan_.timeout_seconds, next_seed()));
  if (!truth) return std::optional(errors);
  errors.original = precision_->worst_error(wanted, wanted, *truth);
  if (*errors.original > large_own_error) excused_ = std::max(excused_, *errors.original);
  errors.candidate = std::min(errors.candidate, precision_->worst_error(wanted, had, *truth));
  return std::optional(errors);
}

}  // namespace hone::judge
