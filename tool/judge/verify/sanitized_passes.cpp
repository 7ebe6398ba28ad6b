#include "tool/judge/verify/sanitized_passes.h"

#include <algorithm>
#include <utility>

#include "tool/judge/data/pattern.h"
#include "tool/judge/data/special_values.h"

namespace hone::judge {
namespace {

constexpr double sanitized_slowdown = 40;          // that AddressSanitizer's objects rarely exceed
constexpr double sanitized_budget = 0.25;          // seconds
constexpr double race_slowdown = 30;               // that ThreadSanitizer's objects rarely exceed
constexpr double race_budget = 0.5;                // seconds
constexpr double pausing_budget = 0.5;             // seconds
constexpr std::size_t device_sanitized_cases = 4;  // each tool takes most of its time to start

// Of integers as wide as its arithmetic, which has no value beyond them.
bool may_overflow(const KernelData& spec) {
  return std::ranges::any_of(spec.parameters, [](const Parameter& p) {
    return p.pointer && p.role != Role::out && !p.init && std::ranges::any_of(p.element.fields, [](const Field& field) {
             return field.type.kind == ScalarKind::signed_integer && field.type.size >= 4;
           });
  });
}

}  // namespace

// Arithmetic on them overflows in many originals: only where the original's sanitizers keep silent are they a case.
Found SanitizedPasses::judge_integer_extremes(Subject& subject, Subject& reference, std::string_view how) {
  for (const Case& like : book_.small_cases(3))
    for (const SpecialValues& special : integer_extremes(spec_, like)) {
      Case c = like;
      c.seed = runs_.next_seed();
      c.special = special;
      if (!sanitized_.is_clean(c, reference)) return nothing();
      HONE_TRY(auto finding, book_.specials.judge(c, {special}, {.seconds = sanitized_budget}));
      if (finding) return finding;
      HONE_TRY(finding, sanitized_.judge(c, subject, nullptr, how));
      if (finding) return finding;
    }
  return nothing();
}

// Neighbors that are both the least of their type, which products of pairs may not hold.
Found SanitizedPasses::judge_ends(Subject& subject, Subject& reference, std::string_view how) {
  for (Case c : book_.roomy_cases(2)) {
    c.seed = runs_.next_seed();
    c.pattern = {.kind = PatternKind::ends};
    if (!sanitized_.is_clean(c, reference)) return nothing();
    HONE_TRY(auto finding, book_.patterns.judge(c, {c.pattern}, true, sanitized_budget));
    if (finding) return finding;
    HONE_TRY(finding, sanitized_.judge(c, subject, nullptr, how));
    if (finding) return finding;
  }
  return nothing();
}

// From the widest to the narrowest that the original's sanitizers are silent about.
Found SanitizedPasses::judge_wide_integers(Subject& subject, Subject& reference, std::string_view how) {
  if (!draws(spec_, false)) return nothing();
  const bool all = plan_.depth != bundle::Depth::trial;
  std::vector<Pattern> patterns = wide_integers(spec_);
  if (!all) patterns = {patterns[may_overflow(spec_) ? 3 : 0]};  // each that is too wide costs a process
  if (all && !may_overflow(spec_)) {  // sums and products of narrow ones have room in their wider arithmetic
    HONE_TRY(auto finding, judge_ends(subject, reference, how));
    if (finding) return finding;
  }
  for (const Case& like : book_.roomy_cases(all ? 3 : 1))
    for (const Pattern& pattern : patterns) {
      if (book_.spent() > 4 * sanitized_budget) return nothing();
      Case c = like;
      c.seed = runs_.next_seed();
      c.pattern = pattern;
      if (!sanitized_.is_clean(c, reference)) continue;
      HONE_TRY(auto finding, book_.patterns.judge(c, {pattern}, true, sanitized_budget));
      if (finding) return finding;
      HONE_TRY(finding, sanitized_.judge(c, subject, nullptr, how));
      if (finding) return finding;
      break;
    }
  return nothing();
}

Found SanitizedPasses::verify_sanitized(Subject& subject, Subject* reference, std::string_view how) {
  book_.begin();
  std::vector<Case> cases = book_.small_cases(6);
  cases.insert(cases.begin(), book_.given.begin(), book_.given.end());
  const Case& smallest = book_.quickest();
  const bool quick = sanitized_slowdown * book_.seconds(smallest) < sanitized_budget;
  const bool bearable = sanitized_slowdown * book_.seconds(smallest) < 10 * sanitized_budget || runs_.is_original();
  if (quick || (cases.empty() && bearable)) cases.push_back(smallest);
  for (const Case& c : cases) {
    if (book_.spent() > 2 * sanitized_budget) return nothing();
    HONE_TRY(const auto finding, sanitized_.judge(c, subject, reference, how));
    if (finding) return finding;
  }
  // The largest of the small ones, for the loop over whole vectors.
  if (!runs_.is_original() && !cases.empty()) {
    const Case& like =
        *std::ranges::max_element(cases, {}, [&](const Case& c) { return c.declared() ? 0 : c.bytes(); });
    HONE_TRY(const auto finding, sanitized_.judge_askew(like, subject, reference, how));
    if (finding) return finding;
  }
  if (!reference) return nothing();
  HONE_TRY(auto finding, judge_integer_extremes(subject, *reference, how));
  return finding ? Found(std::move(finding)) : judge_wide_integers(subject, *reference, how);
}

// Who takes threads for large sizes only shows nothing on small ones: the declared problems come first, and the
// quickest may take longer than all should. Each case twice, since it depends on what ran before what whether an order
// is seen between two accesses.
Found SanitizedPasses::verify_race_free(Subject& subject, Subject* reference, std::string_view how) {
  book_.begin();
  std::vector<Casebook::Timed> cases;
  for (const Case& declared : book_.declared) cases.push_back({declared, book_.seconds(declared)});
  std::ranges::sort(cases, {}, &Casebook::Timed::seconds);
  cases.insert(cases.end(), book_.larger.begin(), book_.larger.end());
  for (const Case& small : book_.survived) cases.push_back({small, 0});
  const double budget = plan_.depth == bundle::Depth::trial && !runs_.is_original() ? race_budget : 3 * race_budget;
  for (unsigned round = 0; round < 2; ++round)
    for (std::size_t n = 0; n < cases.size(); ++n) {
      const double expected = race_slowdown * cases[n].seconds;
      const bool bearable = round == 0 && n == 0 && expected < 10 * budget;
      if (!bearable && book_.spent() + expected > budget) continue;
      HONE_TRY(const auto finding, sanitized_.judge(cases[n].c, subject, reference, how));
      if (finding) return finding;
    }
  return nothing();
}

Found SanitizedPasses::verify_rescheduled() {
  book_.begin();
  std::vector<Case> cases = book_.small_cases(4);
  cases.insert(cases.begin(), book_.quickest());
  for (const Case& like : cases) {
    if (book_.spent() > book_.budget) break;
    HONE_TRY(const std::optional<Case> c, runs_.maker().variant(like, runs_.next_seed()));
    if (!c) continue;
    HONE_TRY(const auto finding, book_.judge.judge(*c, {.both_ends_of_reference = false}));
    if (finding) return finding;
  }
  return nothing();
}

// Where there are many blocks first, which small cases lack.
Found SanitizedPasses::verify_pausing(Subject& subject) {
  book_.begin();
  std::vector<Case> cases = book_.small_cases(4);
  cases.insert(cases.begin(), 2, book_.quickest());
  for (const Case& like : cases) {
    if (book_.spent() > pausing_budget) break;
    HONE_TRY(const std::optional<Case> c, runs_.maker().variant(like, runs_.next_seed()));
    if (!c) continue;
    HONE_TRY(const auto finding, sanitized_.judge_slowed(*c, subject, "a race: where its warps pause at barriers, "));
    if (finding) return finding;
  }
  return nothing();
}

std::vector<Case> SanitizedPasses::sanitized_device_cases() const {
  std::vector<Case> cases = book_.small_cases(device_sanitized_cases);
  if (cases.empty()) cases.push_back(book_.quickest());
  return cases;
}

}  // namespace hone::judge
