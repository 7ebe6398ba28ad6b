#include "tool/judge/verify/value_passes.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "tool/base/random.h"
#include "tool/judge/data/pattern.h"
#include "tool/judge/data/special_values.h"

namespace hone::judge {
namespace {

constexpr std::size_t most_tied = 64u << 20;  // bytes of a declared problem: a fifth of a second to draw it once
constexpr double scalar_limit = 0.02;         // seconds, for the original on small sizes: else a scalar bounds a loop

constexpr std::size_t fewest_specials = 9;  // of one case: zeros; NaN, large values, infinities in two arrays

double scalar_budget(bundle::Depth depth) {
  return depth == bundle::Depth::trial ? 0.03 : depth == bundle::Depth::thorough ? 0.1 : 0.4;
}

}  // namespace

// The first small case gets its most telling values, and a declared problem its few, however busy the machine is.
Found ValuePasses::judge_special() {
  const bool all = plan_.depth != bundle::Depth::trial;
  const double each = all ? 0.1 : 0.05;
  std::size_t fewest = all ? fewest_specials : 0;
  for (const Case& c : book_.small_cases(all ? 6 : 3)) {
    const bool late = book_.spent() > 2 * book_.budget;
    if (late && fewest == 0) break;
    HONE_TRY(const auto finding,
             book_.specials.judge(c, special_values(spec_, c, SpecialScope::many, plan_.finite_math),
                                  {.seconds = late ? 0 : each, .fewest = fewest}));
    if (finding) return finding;
    fewest = 0;
  }
  const Case& declared = book_.quickest();
  if (book_.seconds(declared) > 0.02 || (!all && book_.spent() > 2 * book_.budget)) return nothing();
  return book_.specials.judge(declared, special_values(spec_, declared, SpecialScope::few, plan_.finite_math),
                              {.seconds = each});
}

Found ValuePasses::judge_patterns_of(const Case& like, bool all, double seconds) {
  HONE_TRY(auto finding, book_.patterns.judge_exact(like));
  const auto judge = [&](const std::vector<Pattern>& patterns, bool first_alone = false) -> Result<void> {
    if (finding) return {};
    HONE_TRY(finding, book_.patterns.judge(like, patterns, first_alone, seconds));
    return {};
  };
  HONE_CHECK(judge(orders(spec_, all)));
  if (all) HONE_CHECK(judge(zero_lines(spec_, like)));
  if (!runs_.traits().has_integer_sanitizers && draws(spec_, false)) HONE_CHECK(judge(wide_integers(spec_), true));
  if (!draws(spec_, true)) return finding;
  HONE_CHECK(judge(bands(spec_, all ? 6 : 1, runs_.next_seed())));
  HONE_CHECK(judge(full_magnitudes(spec_, -1), true));
  if (!plan_.finite_math && !plan_.flushes_denormals) HONE_CHECK(judge({{.kind = PatternKind::denormals}}));
  for (unsigned i = 0; all && i < spec_.parameters.size(); ++i)
    if (is_patterned(spec_.parameters[i], {.kind = PatternKind::magnitudes}, i))
      HONE_CHECK(judge(full_magnitudes(spec_, static_cast<int>(i)), true));
  return finding;
}

// Ties where they are most: on the largest of the declared problems that is quick. Counters overflow there, and blocks
// and threads meet equals of each other. Few cases, so that they come before the many on small sizes.
Found ValuePasses::judge_ties() {
  const bool all = plan_.depth != bundle::Depth::trial;
  const Case* declared = all ? book_.roomiest(0.02, most_tied) : book_.roomiest(0.005, 2 * Casebook::roomy_bytes);
  if (!declared && all && book_.seconds(book_.quickest()) <= 0.02) declared = &book_.quickest();
  if (!declared) return nothing();
  HONE_TRY(const auto finding, book_.patterns.judge_exact(*declared));
  if (finding) return finding;
  std::vector<Pattern> patterns;
  for (const PatternKind kind : {PatternKind::equal, PatternKind::ascending, PatternKind::few, PatternKind::runs})
    if (holds(spec_, false) && (all || patterns.size() < 2)) patterns.push_back({.kind = kind, .integers_only = true});
  if (holds(spec_, true)) patterns.push_back({.kind = PatternKind::whole});
  return book_.patterns.judge(*declared, patterns, false, all ? 0.1 : 0.02);
}

Found ValuePasses::judge_patterns() {
  const bool all = plan_.depth != bundle::Depth::trial;
  HONE_TRY(auto finding, judge_ties());
  const double start = runs_.clock().seconds();
  for (const Case& c : book_.roomy_cases(all ? 4 : 2)) {
    if (finding || runs_.clock().seconds() - start > book_.budget) break;
    HONE_TRY(finding, judge_patterns_of(c, all, all ? 0.1 : 0.02));
  }
  return finding;
}

Result<std::optional<Case>> ValuePasses::scalar_case(const Case& like, const Sizes& sizes,
                                                     const std::vector<Override>& others) {
  std::vector<Override> overrides = sizes_of(like.overrides, sizes);
  overrides.insert(overrides.end(), others.begin(), others.end());
  return runs_.maker().make(like.problem, overrides, plan_.memory_bytes);
}

// Where the text tests the pointer, and no clause speaks of it, the original may want another one in its place.
std::optional<Finding> ValuePasses::broken_promise(const Parameter& parameter) {
  if (!parameter.null_declared) return std::nullopt;
  return Finding{
      DiagnosticCode::original_unfit,
      fmt::format("the original does not survive that '{0}' is null, and the clause for {0} says |null; take "
                  "|null out, or let the function test {0}",
                  parameter.name),
      ""};
}

// Each pointer that may be null is, then all of them; a test that is right for one may be wrong for two.
Found ValuePasses::judge_nulls() {
  std::vector<std::vector<unsigned>> sets;
  std::vector<unsigned> all;
  for (unsigned i = 0; i < spec_.parameters.size(); ++i)
    if (spec_.parameters[i].null) {
      sets.push_back({i});
      all.push_back(i);
    }
  if (all.size() > 1) sets.push_back(all);
  if (sets.empty()) return nothing();
  std::vector<Case> cases = book_.small_cases(plan_.depth == bundle::Depth::trial ? 2 : 6);
  cases.push_back(book_.quickest());
  for (const Case& like : cases)
    for (const std::vector<unsigned>& nulls : sets) {
      const unsigned dropped = runs_.dropped();
      HONE_TRY(const auto finding, book_.judge.judge(with_nulls(spec_, like, nulls), {}));
      if (finding) return finding;
      if (runs_.dropped() > dropped && nulls.size() == 1)
        if (auto broken = broken_promise(spec_.parameters[nulls.front()])) return broken;
    }
  return nothing();
}

// The sizes of `like`, and other scalars with them.
Found ValuePasses::judge_scalars_on(const Case& like, double until) {
  const Case& declared = book_.declared[like.problem];
  HONE_TRY(const Sizes sizes, book_.sizes(like.problem));
  const Reach reach = runs_.may_ask() ? Reach::far : Reach::near;
  const unsigned dropped = runs_.dropped();
  for (const auto& others : other_scalars(spec_, declared, sizes, reach, derive(plan_.seed, runs_.next_seed()))) {
    if (book_.spent() > until || runs_.dropped() - dropped >= book_.most_dropped_of_kind()) break;
    HONE_TRY(const std::optional<Case> c, scalar_case(like, sizes, others));
    if (!c) continue;
    HONE_TRY(const auto finding, book_.judge.glance(*c, {.reference_limit = scalar_limit,
                                                         .steady = true,
                                                         .coarse = is_far_larger(spec_, declared, others)}));
    if (finding) return finding;
  }
  return nothing();
}

// Where there are no data, or hardly any, the result is made of scalars alone.
Found ValuePasses::judge_scalars_on_nothing() {
  if (book_.survived.empty()) return nothing();
  const Case& least = *std::ranges::min_element(book_.survived, {}, &Case::bytes);
  HONE_TRY(const Sizes sizes, book_.sizes(least.problem));
  for (const auto& ends : scalar_corners(spec_, least, sizes)) {
    HONE_TRY(const std::optional<Case> c, scalar_case(least, sizes, ends));
    if (!c) continue;
    HONE_TRY(const auto finding, book_.judge.glance(*c, {.reference_limit = scalar_limit, .steady = true}));
    if (finding) return finding;
  }
  return nothing();
}

// Small sizes first: the smallest for scalars that bound loops, then the larger of them before the smaller, as few
// rounds show little. Then each declared problem once, as a value may be written down for its size alone.
Found ValuePasses::judge_scalars() {
  for (const Parameter& parameter : spec_.parameters)
    if (!parameter.pointer && parameter.fixed)
      runs_.tried().note_not_tried(parameter.name + " is fixed: its problems' values alone");
  const double until = book_.spent() + scalar_budget(plan_.depth);
  std::vector<Case> bases = book_.small_cases(8);
  std::ranges::sort(bases, std::greater(), [](const Case& c) { return c.bytes(); });
  if (plan_.depth != bundle::Depth::trial) {
    const auto smallest =
        std::ranges::find_if(bases | std::views::reverse, [](const Case& c) { return c.bytes() > 0; });
    if (smallest != bases.rend()) std::swap(bases.front(), *smallest);
  }
  bases.resize(std::min<std::size_t>(bases.size(), plan_.depth == bundle::Depth::trial ? 1 : 4));
  for (const Case& like : bases) {
    HONE_TRY(const auto finding, judge_scalars_on(like, until));
    if (finding) return finding;
  }
  HONE_TRY(const auto on_nothing, judge_scalars_on_nothing());
  if (on_nothing) return on_nothing;
  for (const Case& declared : book_.declared) {
    if (8 * book_.seconds(declared) > book_.budget) continue;
    HONE_TRY(const Sizes sizes, book_.sizes(declared.problem));
    const auto others = other_scalars(spec_, declared, sizes, Reach::near, derive(plan_.seed, runs_.next_seed()));
    if (others.empty()) continue;
    HONE_TRY(const std::optional<Case> c, scalar_case(declared, sizes, others.front()));
    if (!c) continue;
    HONE_TRY(const auto finding,
             book_.judge.glance(*c, {.reference_limit = 0.05 + 4 * book_.seconds(declared), .steady = true}));
    if (finding) return finding;
  }
  return nothing();
}

}  // namespace hone::judge
