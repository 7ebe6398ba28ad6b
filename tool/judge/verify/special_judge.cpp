#include "tool/judge/verify/special_judge.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tool/judge/data/scalar.h"
#include "tool/judge/data/tried_cases.h"

namespace hone::judge {
namespace {

constexpr double special_reference_timeout = 0.1;  // seconds: a special value that sends it on a long way is no case
constexpr unsigned most_special_drops = 3;         // each costs a process

}  // namespace

// What the original gives on such data without the special value. Of an array of nothing else that is one of equals: a
// place among them is promised, whatever they are. nullopt: the original did not come back.
Result<std::optional<Outputs>> SpecialJudge::ordinary(const Case& c, double& seconds) {
  Case plain = c;
  plain.special = {};
  if (c.special.kind == Special::all_infinite) plain.pattern = {.kind = PatternKind::equal};
  bench_.redraw(plain);
  const auto run = runs_.run_reference(plain, runs_.reference_timeout(plain));
  if (!run) {
    HONE_CHECK(runs_.reference_failed(plain, run.error()));
    return std::optional<Outputs>();
  }
  seconds = run->seconds;
  return std::optional(bench_.outputs(Side::reference, *run));
}

// Where nothing of the value came through, the original may have overflowed on its way and be right for all that: a
// fraction whose denominator is infinite. Then its numbers are the truth.
Result<SpecialJudge::Worth> SpecialJudge::worth(const Case& c, const Outcome& expected, const Outputs& ordinary) {
  if (c.special.kind == Special::nan && spec_.asks_for_nan) return Worth::all;  // its answer is meant, whatever it is
  Promise promise;
  const std::vector<View> views = bench_.views(Side::reference, expected);
  for (const View& view : views) {
    const Promise of_one = promise_of(c.special, view.comparison, ordinary.bytes[view.output].data(), view.data);
    promise = {promise.kept || of_one.kept, promise.astray || of_one.astray};
  }
  if (promise.astray) return Worth::nothing;
  if (promise.kept) return Worth::all;
  const bool floating =
      std::ranges::any_of(views, [](const View& view) { return widest_floating(view.comparison.element) > 0; });
  if (!lets_through(c.special.kind) || !floating || !bench_.is_finite(expected) || !runs_.is_askable(c, expected))
    return Worth::nothing;
  HONE_TRY(const auto truth, runs_.double_reference()->truth(c, plan_.timeout_seconds, runs_.next_seed()));
  return truth && runs_.double_reference()->worst_error(views, views, *truth) <= 1 ? Worth::numbers : Worth::nothing;
}

Found SpecialJudge::judge(const Case& like, const std::vector<SpecialValues>& specials, Limits limits) {
  const double start = runs_.clock().seconds();
  HONE_TRY(const std::optional<Bench::Scales> scales, runs_.scales(like));
  if (!scales) return nothing();
  HONE_CHECK(bench_.set_up(like));
  unsigned drops = 0;
  for (std::size_t n = 0; n < specials.size(); ++n) {
    const bool late = n >= limits.fewest && runs_.clock().seconds() - start > limits.seconds;
    if (late || drops >= most_special_drops) break;
    Case c = like;
    c.seed = runs_.next_seed();
    c.special = specials[n];
    double seconds = 0;
    HONE_TRY(const auto ordinary, this->ordinary(c, seconds));
    if (!ordinary) return nothing();
    bench_.redraw(c);
    const auto expected = runs_.run_reference(c, std::max(special_reference_timeout, 20 * seconds));
    if (!expected) {
      ++drops;
      HONE_TRY(const auto finding, runs_.reference_failed(c, expected.error()));
      continue;
    }
    HONE_TRY(const Worth worth, this->worth(c, *expected, *ordinary));
    if (worth == Worth::nothing) continue;
    const auto got = runs_.run_candidate(c, runs_.candidate_timeout(expected->seconds));
    if (!got) return runs_.blame(got.error());
    if (worth == Worth::numbers) {
      const auto is_number = [](const View&, const ErrorAt& at) { return std::isfinite(at.got); };
      if (std::string text = bench_.compare(*expected, Ends::start, *got, *scales, &*ordinary, is_number);
          !text.empty())
        return Finding{DiagnosticCode::result_wrong, std::move(text), ""};
    } else if (!bench_.compare(*expected, Ends::start, *got, *scales, &*ordinary).empty()) {
      HONE_TRY(const auto finding, beyond_doubt(c, *expected, *got, *scales, *ordinary));
      if (finding) return finding;
    }
    note_case(runs_.tried(), spec_, c);
  }
  return nothing();
}

// Digits that the original lost are in doubt. Where nobody knows it in higher precision, its own rounding tells how
// many.
Result<SpecialJudge::Doubts> SpecialJudge::doubts(const Case& c, const Outcome& expected) {
  const double timeout = runs_.reference_timeout(c);
  Doubts doubts;
  Case other = c;
  if (runs_.is_askable(c, expected)) {
    HONE_TRY(doubts.truth, runs_.double_reference()->truth(c, plan_.timeout_seconds, runs_.next_seed()));
  }
  if (!doubts.truth && runs_.traits().rounds_either_way) {
    HONE_TRY(doubts.up, runs_.other_answer(c, timeout, runner::Manner::rounded_up));
    if (doubts.up) {
      HONE_TRY(doubts.down, runs_.other_answer(c, timeout, runner::Manner::rounded_down));
    }
  }
  if (c.special.kind == Special::small) {
    other.special.round ^= 1;
    HONE_TRY(doubts.flipped, runs_.other_answer(other, timeout));
  } else if (c.special.kind == Special::square_overflows) {
    other.special.kind = Special::far_square_overflows;
    HONE_TRY(doubts.farther, runs_.other_answer(other, timeout));
  }
  return doubts;
}

// What they differ in, as far as the original's own answer leaves no doubt (special_values.h). The case is set up.
Found SpecialJudge::beyond_doubt(const Case& c, const Outcome& expected, const Outcome& got,
                                 const Bench::Scales& scales, const Outputs& ordinary) {
  HONE_TRY(const Doubts doubts, this->doubts(c, expected));
  bench_.redraw(c);
  const auto again = runs_.run_reference(c, runs_.reference_timeout(c));
  if (!again) return runs_.reference_failed(c, again.error());
  const auto pardons = [&](const View& view, const ErrorAt& at) {
    if (plan_.finite_math && !(std::isfinite(at.expected) && std::isfinite(at.got)))
      return !std::isfinite(at.expected) && !std::isfinite(at.got);
    const Field& field = view.comparison.element.fields[at.field];
    return visit_scalar(field.type, [&]<class T>(Tag<T>) {
      OtherAnswers others;
      if constexpr (is_floating<T>) {
        const auto of = [&](const std::optional<Outputs>& outputs) -> std::optional<double> {
          if (!outputs) return std::nullopt;
          return as_double(load<T>(outputs->bytes[view.output].data() + at.offset));
        };
        others = {
            .flipped = of(doubts.flipped), .up = of(doubts.up), .down = of(doubts.down), .farther = of(doubts.farther)};
        if (doubts.truth)
          others.truth = as_double(from_double<T>(
              runs_.double_reference()->true_value(view.output, view.comparison.element, at, *doubts.truth)));
      }
      return may_be_another(c.special.kind, at, others, largest_value(field.type));
    });
  };
  const std::string text = bench_.compare(*again, Ends::start, got, scales, &ordinary, pardons);
  return text.empty() ? nothing() : Finding{DiagnosticCode::result_wrong, text, ""};
}

}  // namespace hone::judge
