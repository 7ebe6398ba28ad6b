#include "tool/judge/verify/pattern_judge.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tool/base/random.h"
#include "tool/judge/data/scalar.h"
#include "tool/judge/data/tried_cases.h"
#include "tool/judge/verify/coarse_scales.h"

namespace hone::judge {
namespace {

constexpr double patterned_timeout = 0.1;   // of the original: what sends it on a long way is no case
constexpr unsigned most_pattern_drops = 3;  // each costs a process
constexpr unsigned draws_of_scales = 2;     // of a few elements, of which one draw may be near zero
constexpr unsigned exact_draws = 3;         // of small integers
// Distinct magnitudes: a softmax over one element gives ones, a vector of one element has the length -1, 0 or 1 once it
// is normalized, whatever roots and quotients they take.
constexpr std::size_t fewest_values = 3;
constexpr std::size_t fewest_exact = 8, most_exact = 1u << 20;  // elements

// Ties and constants are where answers jump by right.
bool may_jump(const Pattern& pattern) {
  return pattern.kind == PatternKind::constants || pattern.integers_only || pattern.kind == PatternKind::wide ||
         pattern.kind == PatternKind::ends;
}

// Floating scalars that nobody assigns: they are drawn like arrays.
void make_scalars_exact(const KernelData& spec, Case& c) {
  const auto& assigned = spec.problems[c.problem].assigned;
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const Parameter& parameter = spec.parameters[i];
    if (parameter.pointer || parameter.stream || parameter.composed || parameter.init ||
        std::ranges::find(assigned, i) != assigned.end())
      continue;
    for (const Field& field : parameter.element.fields)
      visit_scalar(field.type, [&]<class T>(Tag<T>) {
        const double value = 2 + static_cast<double>(below(bits_at(c.seed, i), 3));
        if (is_floating<T> && field.offset + sizeof(T) <= runner::scalar_bytes)
          store(bytes_of(c.scalars[i]) + field.offset, from_double<T>(value));
      });
  }
}

}  // namespace

// The original's answer, where it is a case: finite, and not such that a unit in the last place of the data makes a
// difference to what is floating. The case's memory is set up.
Result<std::optional<Outcome>> PatternJudge::borne(const Case& c) {
  const auto drop = [&](const Case& failed, const Misdeed& misdeed) -> Result<std::optional<Outcome>> {
    HONE_CHECK(runs_.reference_failed(failed, misdeed));
    return std::optional<Outcome>();
  };
  std::optional<Outputs> nudged;
  if (!may_jump(c.pattern)) {
    Case other = c;
    other.pattern.nudged = true;
    bench_.redraw(other);
    const auto run = runs_.run_reference(other, patterned_timeout);
    if (!run) return drop(c, run.error());
    nudged = bench_.outputs(Side::reference, *run);
  }
  bench_.redraw(c);
  auto expected = runs_.run_reference(c, patterned_timeout);
  if (!expected) return drop(c, expected.error());
  // A double that is made of floats was computed in double: what the last place of a float does to it says nothing.
  std::size_t inputs = 0;
  for (const Parameter& parameter : spec_.parameters)
    if (parameter.role != Role::out) inputs = std::max(inputs, widest_floating(parameter.element));
  for (const View& view : bench_.views(Side::reference, *expected)) {
    if (!all_finite(view.comparison, view.data)) return std::optional<Outcome>();
    if (nudged && widest_floating(view.comparison.element) <= inputs &&
        !is_steady(view.comparison, view.data, nudged->bytes[view.output].data()))
      return std::optional<Outcome>();
  }
  if (!runs_.repeats_bitwise()) {  // where ties are decided by who comes first, either is right
    const Outputs one = bench_.outputs(Side::reference, *expected);
    auto again = runs_.run_reference(c, patterned_timeout);
    if (!again) return drop(c, again.error());
    for (const View& view : bench_.views(Side::reference, *again))
      if (compare(view.comparison, view.data, one.bytes[view.output].data())) return std::optional<Outcome>();
    return std::optional<Outcome>(std::move(*again));
  }
  return std::optional<Outcome>(std::move(*expected));
}

// As runs_.scales(), without other memory: from draws of the same pattern.
Result<Bench::Scales> PatternJudge::patterned_scales(const Case& c) {
  Bench::Scales sums(spec_.parameters.size() + 1);
  bool any = false;
  for (std::size_t i = 0; i <= spec_.parameters.size(); ++i) any |= runs_.is_few(c, i);
  for (unsigned n = 0; any && n < draws_of_scales; ++n) {
    Case other = c;
    other.seed = runs_.next_seed();
    bench_.redraw(other);
    const auto run = runs_.run_reference(other, patterned_timeout);
    if (!run) {
      HONE_CHECK(runs_.reference().restart());
      return Bench::Scales();
    }
    const Bench::Scales scales = bench_.scales(*run);
    for (std::size_t i = 0; i < scales.size(); ++i)
      if (runs_.is_few(c, i)) {
        sums[i].resize(scales[i].size());
        for (std::size_t f = 0; f < scales[i].size(); ++f) sums[i][f] = std::max(sums[i][f], scales[i][f]);
      }
  }
  return sums;
}

// Does the original's own answer leave its tolerance when it rounds up, or when it rounds down?
Result<bool> PatternJudge::rounding_decides(const Case& c, const Bench::Scales& scales) {
  if (!runs_.traits().rounds_either_way) return false;
  HONE_TRY(const auto up, runs_.other_answer(c, patterned_timeout, runner::Manner::rounded_up));
  if (!up) return false;
  HONE_TRY(const auto down, runs_.other_answer(c, patterned_timeout, runner::Manner::rounded_down));
  bench_.redraw(c);
  const auto again = runs_.run_reference(c, patterned_timeout);
  if (!again) {
    HONE_CHECK(runs_.reference().restart());
    return false;
  }
  return !bench_.near(*up, *again, scales) || (down && !bench_.near(*down, *again, scales));
}

// Squares of large numbers overflow, those of small ones vanish, and differences of close ones lose their digits: an
// original that lost them proves nothing. Where the truth is not known, a zero of its that is none of the candidate's
// is taken for that, and what its rounding decides; of close values it is taken to have lost them.
Result<bool> PatternJudge::lost_on_its_way(const Case& c, const Outcome& expected, const Outcome& got,
                                           const Bench::Scales& scales) {
  const bool close = c.pattern.kind == PatternKind::offset && holds(spec_, true);
  if (c.pattern.kind != PatternKind::magnitudes && c.pattern.kind != PatternKind::denormals && !close) return false;
  const std::vector<View> views = bench_.views(Side::reference, expected, scales);
  if (runs_.is_askable(c, expected)) {
    HONE_TRY(const auto truth, runs_.double_reference()->truth(c, plan_.timeout_seconds, runs_.next_seed()));
    if (truth) return runs_.double_reference()->worst_error(views, views, *truth) > 1;
  }
  if (close) return true;
  bool lost = false;
  const std::vector<View> had = bench_.views(Side::candidate, got);
  for (std::size_t i = 0; i < views.size(); ++i)
    each_error(views[i].comparison, views[i].data, had[i].data,
               [&](const ErrorAt& at) { lost |= at.expected == 0 && at.got != 0; });
  return lost ? Result<bool>(true) : rounding_decides(c, scales);
}

// Sums of many equal terms lose digits in one direction. Whose they are, the original's or the candidate's, only the
// truth tells; without it a count that is wrong differs by more than a twentieth.
Bench::Scales PatternJudge::allowed(const Case& c, const Outcome& expected, const Bench::Scales& scales) {
  if (c.pattern.kind != PatternKind::whole || runs_.is_askable(c, expected)) return scales;
  return coarse_scales(bench_.views(Side::reference, expected), bench_.scales(expected));
}

Found PatternJudge::judge(const Case& like, const std::vector<Pattern>& patterns, bool first_alone, double seconds) {
  const double start = runs_.clock().seconds(), excused = runs_.excused();
  const unsigned dropped = runs_.dropped();
  bool edge = false;
  HONE_CHECK(bench_.set_up(like));
  for (const Pattern& pattern : patterns) {
    if (runs_.clock().seconds() - start > seconds || runs_.dropped() - dropped >= most_pattern_drops) break;
    Case c = like;
    c.seed = runs_.next_seed();
    c.pattern = pattern;
    HONE_TRY(const Bench::Scales scales, patterned_scales(c));
    HONE_TRY(const auto expected, borne(c));
    if (!expected) continue;
    // At the very edge of what it bears another order of its products overflows.
    if (first_alone && pattern.kind == PatternKind::magnitudes && !std::exchange(edge, true)) continue;
    HONE_TRY(const auto got, runs_.run_patiently(c, expected->seconds, false));
    std::optional<Finding> finding;
    if (got) {
      HONE_TRY(finding, runs_.disagreement(c, *expected, *got, allowed(c, *expected, scales)));
      runs_.set_excused(excused);  // what such data excuse, ordinary ones need not
    } else {
      finding = runs_.blame(got.error());
    }
    if (finding) {
      HONE_TRY(const bool lost, got ? lost_on_its_way(c, *expected, *got, scales) : Result<bool>(false));
      if (lost) continue;
      HONE_TRY(const bool undefined, runs_.is_undefined(c));
      if (!undefined) return finding;
      if (!got) HONE_CHECK(runs_.second().restart());
      HONE_CHECK(bench_.set_up(like));
      continue;
    }
    note_case(runs_.tried(), spec_, c);
    if (first_alone) break;
  }
  return nothing();
}

// `values`: adds what it gives, until that is varied.
Result<bool> PatternJudge::is_exact(const Case& c, std::set<double>& values) {
  bench_.redraw(c);
  const auto expected = runs_.run_reference(c, patterned_timeout);
  if (!expected) {
    HONE_CHECK(runs_.reference().restart());
    return false;
  }
  const std::vector<View> views = bench_.views(Side::reference, *expected);
  for (const View& view : views)
    if (!all_finite(view.comparison, view.data) || !judge::is_exact(view.comparison, view.data)) return false;
  for (const View& view : views)
    if (values.size() < fewest_values)
      each_error(view.comparison, view.data, view.data, [&](const ErrorAt& at) {
        if (values.size() < fewest_values) values.insert(std::fabs(at.expected));
      });
  if (!runs_.is_askable(c, *expected)) return true;
  HONE_TRY(const auto truth, runs_.double_reference()->truth(c, plan_.timeout_seconds, runs_.next_seed()));
  return !truth || runs_.double_reference()->is_exact(views, *truth);
}

Found PatternJudge::judge_exact(const Case& like) {
  std::size_t elements = 0;
  for (const Array& array : like.arrays) elements += array.elements;
  if (elements < fewest_exact || elements > most_exact) return nothing();
  std::vector<Case> cases(exact_draws, like);
  std::set<double> values;
  HONE_CHECK(bench_.set_up(like));
  for (Case& c : cases) {
    c.seed = runs_.next_seed();
    c.pattern = {.kind = PatternKind::exact};
    make_scalars_exact(spec_, c);
    HONE_TRY(const bool exact, is_exact(c, values));
    if (!exact) return nothing();
    c.exact = true;
  }
  if (values.size() < fewest_values) return nothing();
  for (const Case& c : cases) {
    bench_.redraw(c);
    const auto expected = runs_.run_reference(c, patterned_timeout);
    if (!expected) return runs_.reference_failed(c, expected.error());
    const auto got = runs_.run_candidate(c, runs_.candidate_timeout(expected->seconds));
    if (!got) return runs_.blame(got.error());
    HONE_TRY(auto finding, runs_.disagreement(c, *expected, *got, {}));
    if (finding) return finding;
    note_case(runs_.tried(), spec_, c);
  }
  runs_.tried().note_check("equality where its arithmetic is exact");
  return nothing();
}

}  // namespace hone::judge
