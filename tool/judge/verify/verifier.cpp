#include "tool/judge/verify/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "tool/base/random.h"
#include "tool/judge/data/other_sizes.h"

namespace hone::judge {
namespace {

constexpr double excuse_varies = 8;                       // from draw to draw
constexpr double growth_budget = 0.1, growth_calls = 30;  // seconds, and how many calls they have to hold
// Of the smallest case: rare ways out hang on the data.
constexpr unsigned growth_draws = 3, thorough_growth_draws = 24;
constexpr double again_budget = 0.05;                      // seconds
constexpr std::size_t largest_examined_twice = 16u << 20;  // bytes of a declared case: of others one draw has to do
constexpr std::size_t largest_sanitized = 1u << 20;        // bytes of a captured case
constexpr unsigned fewest_again = 2;                       // cases after timing, however busy the machine is
constexpr double counted_seconds = 0.02;  // of the original: fifty to a hundred times as long when it is counted
constexpr double counted_timeout = 20;    // ten times that

}  // namespace

Verifier::Verifier(const VerifySetup& setup, std::vector<Case> declared)
    : book_(setup, std::move(declared)),
      runs_(book_.runs),
      sizes_(book_),
      values_(book_),
      sanitized_(book_),
      spec_(setup.spec),
      plan_(setup.plan) {}

// Somebody says that these tell the candidate from the original, or the user's program had them.
Found Verifier::judge_given() {
  for (const bundle::Given& given : plan_.given) {
    if (given.captured && book_.spent() > book_.budget / 2) continue;
    HONE_TRY(auto made, runs_.maker().make_given(given));
    if (!made) continue;
    HONE_TRY(const auto finding, book_.judge.judge(*made, {}));
    if (finding) return finding;
    if (runs_.last_dropped()) continue;
    if (given.captured) ++captured_;
    if (!given.captured || made->bytes() <= largest_sanitized) book_.given.push_back(std::move(*made));
  }
  return nothing();
}

Found Verifier::judge_declared() {
  const unsigned rounds = plan_.depth == bundle::Depth::held_out ? 6 : 3;
  // Every problem once before any twice.
  for (unsigned round = 0; round < rounds; ++round)
    for (const Case& declared : book_.declared) {
      const double seconds = book_.seconds(declared);
      if (round > 0 && (book_.spent() > book_.budget || 4 * seconds > book_.budget)) continue;
      HONE_TRY(const std::optional<Case> c, runs_.maker().variant(declared, runs_.next_seed()));
      if (!c) return harness_failed(declared);
      HONE_TRY(const auto finding,
               book_.judge.judge(
                   *c, {.both_ends_of_reference = false, .twice = seconds < 0.25 || round > 0, .askew = round > 0}));
      if (finding) return finding;
    }
  for (const Case& declared : book_.declared) {
    if (book_.seconds(declared) > book_.budget / 30) continue;
    HONE_TRY(const auto finding, sizes_.judge_neighbors(declared));
    if (finding) return finding;
  }
  return nothing();
}

Found Verifier::judge_overlapping() {
  if (std::ranges::none_of(spec_.parameters, [](const Parameter& p) { return p.alias_group >= 0; })) return nothing();
  std::vector<Case> cases = book_.small_cases(4);
  const std::size_t small = cases.size();
  cases.insert(cases.end(), book_.declared.begin(), book_.declared.end());
  for (std::size_t n = 0; n < cases.size(); ++n) {
    HONE_TRY(auto finding, book_.judge.judge(cases[n], {.overlap = {true, 0}}));
    if (finding) return finding;
    if (runs_.is_original() || (n >= small && book_.seconds(cases[n]) > 0.02)) continue;
    for (const long long shift : shifts(spec_, cases[n])) {
      HONE_TRY(finding, book_.judge.judge_shifted(cases[n], shift));
      if (finding) return finding;
    }
  }
  return nothing();
}

// The largest of the small cases, then the smallest with several data, since few elements come to rare ways out; where
// there is more time a declared problem. Where a runtime keeps memory of its own, only a device's is counted, and once.
Found Verifier::judge_growth() {
  if (!runs_.traits().counts_every_byte) {
    if (plan_.depth == bundle::Depth::trial || book_.survived.empty()) return nothing();
    return book_.judge.judge_growth(*std::ranges::max_element(book_.survived, {}, &Case::bytes));
  }
  if (!book_.survived.empty()) {
    HONE_TRY(auto finding, book_.judge.judge_growth(*std::ranges::max_element(book_.survived, {}, &Case::bytes)));
    if (finding) return finding;
    const Case& smallest = *std::ranges::min_element(book_.survived, {}, [](const Case& c) {
      return c.bytes() > 0 ? c.bytes() : std::numeric_limits<std::size_t>::max();
    });
    for (unsigned draw = 0; draw < (plan_.depth == bundle::Depth::trial ? growth_draws : thorough_growth_draws);
         ++draw) {
      HONE_TRY(const std::optional<Case> c, runs_.maker().variant(smallest, runs_.next_seed()));
      if (!c) break;
      HONE_TRY(finding, book_.judge.judge_growth(*c));
      if (finding) return finding;
    }
  }
  const Case& declared = book_.quickest();
  const double longest = plan_.depth == bundle::Depth::trial && !book_.survived.empty() ? 0 : growth_budget;
  return growth_calls * book_.seconds(declared) < longest ? book_.judge.judge_growth(declared) : nothing();
}

Found Verifier::judge_changed() {
  const bool all = plan_.depth != bundle::Depth::trial;
  std::vector<Case> cases;
  for (const Case& c : book_.survived)
    if (c.bytes() > 0) cases.push_back(c);
  std::ranges::sort(cases, std::ranges::greater(), &Case::bytes);
  cases.resize(std::min<std::size_t>(cases.size(), all ? 6 : 1));
  if (4 * book_.seconds(book_.quickest()) < book_.budget / 5) cases.push_back(book_.quickest());
  for (const Case& c : cases)
    for (const Bench::Change change : {Bench::Change::few, Bench::Change::half}) {
      if (change == Bench::Change::half && !all) continue;
      HONE_TRY(const auto finding, book_.judge.judge_changed(c, change));
      if (finding) return finding;
    }
  return nothing();
}

Found Verifier::verify_candidate() {
  book_.begin();
  struct Pass {
    std::function<Found()> judge;
    bool has_time_of_its_own = false;
  };
  const Pass passes[] = {{[&] { return judge_given(); }},
                         {[&] { return sizes_.judge_perturbed(); }},
                         {[&] { return judge_declared(); }},
                         {[&] { return sizes_.judge_residues(); }, true},
                         {[&] { return values_.judge_scalars(); }, true},
                         {[&] { return sizes_.judge_large(); }, true},
                         {[&] { return values_.judge_nulls(); }},
                         {[&] { return values_.judge_special(); }},
                         {[&] { return values_.judge_patterns(); }, true},
                         {[&] { return sizes_.judge_crowds(); }, true},
                         {[&] { return judge_overlapping(); }},
                         {[&] { return judge_changed(); }},
                         {[&] { return judge_growth(); }},
                         {[&] { return sizes_.judge_held_out(); }}};
  for (const Pass& pass : passes) {
    const double begin = runs_.clock().seconds();
    HONE_TRY(const auto finding, pass.judge());
    if (finding) return finding;
    if (pass.has_time_of_its_own) book_.leave_out(runs_.clock().seconds() - begin);
  }
  return nothing();
}

// Data by pattern on which winners are judged may show what ordinary draws never do: a text that holds the word.
Result<void> Verifier::look_at_crowds(ToleranceProof& proof) {
  Case c = book_.quickest();
  for (const Pattern& pattern : crowds(spec_, false)) {
    if (!proof.all_zero() || book_.spent() > book_.budget) break;
    c.pattern = pattern;
    HONE_CHECK(book_.judge.examine(proof, c));
  }
  return {};
}

Found Verifier::verify_original() {
  book_.begin();
  ToleranceProof proof(spec_);
  constexpr const char* advice = "; narrow it with tolerance(), or draw other data with init()";
  const auto look_for_slight_errors = [&](const Case& c) -> Found {
    std::optional<Case> less;
    const auto around = neighbors(spec_, c.scalars, c.problem, 1);
    if (!around.empty()) {
      HONE_TRY(less, runs_.maker().make(c.problem, around.front().overrides, plan_.memory_bytes));
    }
    return book_.judge.look_for_slight_errors(proof, c, less ? &*less : nullptr);
  };
  for (const Case& declared : book_.declared)
    for (unsigned round = 0; round < 2; ++round) {
      if (round > 0 && book_.seconds(declared) > 0.5) continue;
      HONE_TRY(const std::optional<Case> c, runs_.maker().variant(declared, runs_.next_seed()));
      if (!c) return harness_failed(declared);
      HONE_TRY(auto finding, book_.judge.judge(*c, {}));
      if (finding) return finding;
      const bool shows_nothing = proof.all_zero() || !proof.never_a_number().empty();
      if (round > 0 && c->bytes() > largest_examined_twice && !shows_nothing) continue;
      HONE_TRY(finding, book_.judge.examine(proof, *c));
      if (!finding) continue;
      finding->reason += advice;
      return finding;
    }
  // What reads no array fills its outputs with zeros by definition; that it wrote them shows by the rubbish before.
  const bool reads =
      std::ranges::any_of(spec_.parameters, [](const Parameter& p) { return p.pointer && p.role != Role::out; });
  if (proof.all_zero() && reads) HONE_CHECK(look_at_crowds(proof));
  if (proof.all_zero() && reads)
    return Finding{
        DiagnosticCode::original_unfit,
        "every output is zero on all data drawn, so that a wrong candidate could not be told: draw other data with "
        "init(), as of fewer different values",
        ""};
  if (const std::string output = proof.never_a_number(); !output.empty())
    return Finding{DiagnosticCode::original_unfit,
                   output +
                       " is not a number in any element on all data drawn, so that a wrong candidate could not be "
                       "told: draw other data with init()",
                   ""};
  // Slight errors may hide among many elements; among few they must not.
  HONE_TRY(auto finding, sizes_.judge_perturbed());
  if (finding && finding->reason.starts_with("the original is not deterministic")) return finding;
  const std::vector<Case> small = book_.small_cases(6);
  for (const Case& c : small) {
    HONE_TRY(finding, look_for_slight_errors(c));
    if (finding) return finding;
  }
  for (unsigned round = 0; round < 2; ++round)
    for (const Case& declared : book_.declared) {
      const bool shows = (round > 0 || !small.empty()) && proof.overlooked().empty();
      if (shows || (round > 0 && book_.seconds(declared) > 0.5)) continue;
      HONE_TRY(const std::optional<Case> c, runs_.maker().variant(declared, runs_.next_seed()));
      if (!c) return harness_failed(declared);
      HONE_TRY(finding, look_for_slight_errors(*c));
      if (finding) return finding;
    }
  if (const std::string text = proof.overlooked(); !text.empty())
    return Finding{DiagnosticCode::original_unfit, text + advice, ""};
  return judge_overlapping();
}

Found Verifier::verify_again(unsigned problem, std::uint64_t seed) {
  book_.begin();
  HONE_TRY(const std::optional<Case> c, runs_.maker().variant(book_.declared[problem], seed));
  if (!c) return harness_failed(book_.declared[problem]);
  HONE_TRY(auto finding, book_.judge.judge(*c, {.both_ends_of_reference = false}));
  std::vector<Case> again = book_.small_cases(8);
  for (const Case& declared : book_.declared)
    if (declared.problem != problem && book_.seconds(declared) < again_budget / 10) again.push_back(declared);
  unsigned judged = 0;  // some, however busy the machine is
  for (const Case& like : again) {
    const bool late = book_.spent() > again_budget + 4 * book_.seconds(book_.declared[problem]);
    if (finding || (late && judged++ >= fewest_again)) break;
    HONE_TRY(const std::optional<Case> other, runs_.maker().variant(like, derive(seed, runs_.next_seed())));
    if (!other) continue;
    HONE_TRY(finding, book_.judge.judge(*other, {.both_ends_of_reference = false}));
  }
  return finding;
}

Result<Case> Verifier::counted_case() {
  for (const Case& c : book_.declared) HONE_CHECK(book_.judge.time_reference(c));
  const Case* longest = &book_.quickest();
  for (const Case& c : book_.declared)
    if (book_.seconds(c) <= counted_seconds && book_.seconds(c) > book_.seconds(*longest)) longest = &c;
  return *longest;
}

Result<std::optional<std::string>> Verifier::run_counted(Subject& subject) {
  HONE_TRY(const Case counted, counted_case());
  HONE_TRY(const bool came_back, book_.judge.run_plainly(counted, subject, counted_timeout));
  return came_back ? std::optional(counted.label) : std::nullopt;
}

Result<std::vector<Case>> Verifier::timed_cases() {
  std::vector<Case> cases;
  for (const Case& declared : book_.declared) {
    HONE_TRY(auto captured, runs_.maker().make_captured(declared));
    cases.push_back(captured ? std::move(*captured) : declared);
  }
  return cases;
}

Result<Bench::Scales> Verifier::scales(const Case& timed) {
  const double excused = runs_.excused();
  HONE_TRY(std::optional<Bench::Scales> scales,
           runs_.scales(timed, excused > 0 ? CaseRuns::Scaled::all : CaseRuns::Scaled::timed));
  if (!scales) return Bench::Scales();
  // What was excused once would be found wrong while timed, where nobody asks for the truth.
  for (auto& fields : *scales)
    for (double& scale : fields) scale *= std::max(1.0, excuse_varies * excused);
  return std::move(*scales);
}

bool Verifier::clearly_faster() const {
  return std::ranges::all_of(book_.declared, [&](const Case& c) {
    const double candidate = runs_.candidate_seconds(c.problem);
    return candidate > 0 && 2 * candidate < book_.seconds(c);
  });
}

bool Verifier::clearly_slower() const {
  return std::ranges::any_of(book_.declared, [&](const Case& c) {
    const double original = book_.seconds(c);
    return original > 0 && runs_.candidate_seconds(c.problem) > 2 * original;
  });
}

Result<std::optional<CaseJudge::Errors>> Verifier::errors() {
  return book_.judge.errors(book_.quickest());
}

}  // namespace hone::judge
