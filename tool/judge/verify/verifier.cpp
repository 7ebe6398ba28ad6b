#include "tool/judge/verify/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <ranges>

#include "tool/base/random.h"
#include "tool/judge/data/other_sizes.h"
#include "tool/judge/data/pattern.h"
#include "tool/judge/data/size_plan.h"
#include "tool/judge/data/special_values.h"

namespace hone::judge {
namespace {

constexpr unsigned perturbed_cases = 18, held_out_cases = 80;
constexpr unsigned most_dropped = 10;  // each costs a new process
constexpr std::size_t perturbed_memory = 32u << 20;
constexpr double sanitized_slowdown = 40;
constexpr double sanitized_budget = 0.25;
constexpr std::size_t device_sanitized_cases = 4;
constexpr double excuse_varies = 8;  // from draw to draw
constexpr double growth_budget = 0.1, growth_calls = 30;
constexpr unsigned growth_draws = 3;
constexpr double again_budget = 0.05;
constexpr unsigned fewest_again = 2;
constexpr double counted_seconds = 0.02;  // of the original: fifty to a hundred times as long when it is counted
constexpr double counted_timeout = 20;
constexpr double race_slowdown = 30;
constexpr double race_budget = 0.5;  // seconds
constexpr double pausing_budget = 0.5;
constexpr std::size_t roomy_bytes = 1u << 20;

constexpr double scalar_limit = 0.02;  // seconds, for the original on small sizes: else a scalar bounds a loop

double scalar_budget(bundle::Depth depth) {
  return depth == bundle::Depth::trial ? 0.03 : depth == bundle::Depth::thorough ? 0.1 : 0.4;
}

constexpr double residue_limit = 0.05;  // seconds
constexpr double slow_for_large = 0.02;
constexpr std::size_t most_larger = 2;
constexpr double much_larger = 16;  // than declared: sums in the original's order have lost digits there

double residues_budget(bundle::Depth depth) {
  return depth == bundle::Depth::trial ? 0.03 : depth == bundle::Depth::thorough ? 0.3 : 1.2;
}

double large_budget(bundle::Depth depth) {
  return depth == bundle::Depth::trial ? 0.03 : depth == bundle::Depth::thorough ? 0.2 : 0.8;
}

double crowds_budget(bundle::Depth depth) {
  return depth == bundle::Depth::thorough ? 0.3 : 1.2;
}

struct LargeBounds {
  double seconds;      // that the original may be expected to take
  std::size_t memory;  // for all arrays
  unsigned cases;
};
LargeBounds large_bounds(bundle::Depth depth) {
  if (depth == bundle::Depth::trial) return {0.004, 16u << 20, 12};
  return depth == bundle::Depth::thorough ? LargeBounds{0.03, 128u << 20, 100} : LargeBounds{0.15, 512u << 20, 1000};
}

double budget_of(bundle::Depth depth) {
  return depth == bundle::Depth::trial ? 0.15 : depth == bundle::Depth::thorough ? 0.3 : 0.8;
}

Finding harness_failed(const Case& c) {
  return {fmt::format("the original's harness failed ({})", c.label), ""};
}

}  // namespace

std::size_t Verifier::largest_bytes(bundle::Depth depth) {
  return large_bounds(depth).memory;
}

Verifier::Verifier(const VerifySetup& setup, std::vector<Case> declared)
    : spec_(setup.spec),
      plan_(setup.plan),
      clock_(setup.clock),
      traits_(setup.ground.traits()),
      declared_(std::move(declared)),
      cases_(setup),
      budget_(budget_of(plan_.depth)),
      sizes_(spec_.problems.size()),
      original_(plan_.task == bundle::Task::reference) {}

unsigned Verifier::most_dropped_of_kind() const {
  return plan_.depth == bundle::Depth::trial ? traits_.most_dropped_trial : traits_.most_dropped;
}

double Verifier::spent() const {
  return clock_.seconds() - start_;
}

const Case& Verifier::quickest() const {
  return *std::ranges::min_element(declared_, {}, [&](const Case& c) { return seconds(c); });
}

std::vector<Case> Verifier::small_cases(std::size_t most) const {
  return {survived_.begin(), survived_.begin() + static_cast<std::ptrdiff_t>(std::min(survived_.size(), most))};
}

Found Verifier::judge_sizes(const std::vector<Perturbation>& sizes, double until) {
  for (const Perturbation& size : sizes) {
    if (cases_.dropped() >= most_dropped || (spent() > until && survived_.size() >= 4)) break;
    HONE_TRY(auto made, cases_.make(size.problem, size.overrides, perturbed_memory));
    if (!made) continue;
    HONE_TRY(const auto finding, cases_.judge(*made, {}));
    if (finding) return finding;
    if (!cases_.last_dropped()) survived_.push_back(std::move(*made));
  }
  return nothing();
}

// Somebody says that these tell the candidate from the original.
Found Verifier::judge_given() {
  for (const bundle::Given& given : plan_.given) {
    HONE_TRY(auto made, cases_.make_given(given));
    if (!made) continue;
    HONE_TRY(const auto finding, cases_.judge(*made, {}));
    if (finding) return finding;
    if (!cases_.last_dropped()) given_.push_back(std::move(*made));
  }
  return nothing();
}

Found Verifier::judge_perturbed() {
  std::vector<std::vector<runner::Scalar>> scalars;
  for (const Case& c : declared_) scalars.push_back(c.scalars);
  return judge_sizes(perturbations(spec_, scalars, perturbed_cases, derive(plan_.seed, 0x9e87)), budget_);
}

// Sizes from one to the declared, which no trial gets.
Found Verifier::judge_held_out() {
  if (plan_.depth == bundle::Depth::trial) return nothing();
  std::vector<std::vector<runner::Scalar>> scalars;
  for (const Case& c : declared_) scalars.push_back(c.scalars);
  const unsigned count = plan_.depth == bundle::Depth::held_out ? held_out_cases : held_out_cases / 4;
  return judge_sizes(held_out_sizes(spec_, scalars, count, derive(plan_.seed, 0x4e1d)), 2 * budget_);
}

Found Verifier::judge_neighbours(const Case& declared) {
  const unsigned reach = plan_.depth == bundle::Depth::held_out ? 8 : 1;
  for (const Perturbation& neighbour : neighbours(spec_, declared.scalars, declared.problem, reach)) {
    if (spent() > budget_ || cases_.dropped() >= most_dropped) break;
    HONE_TRY(const auto made, cases_.make(neighbour.problem, neighbour.overrides, plan_.memory_bytes));
    if (!made) continue;
    HONE_TRY(const auto finding, cases_.judge(*made, {}));
    if (finding) return finding;
  }
  return nothing();
}

Found Verifier::judge_declared() {
  const unsigned rounds = plan_.depth == bundle::Depth::held_out ? 6 : 3;
  // Every problem once before any twice.
  for (unsigned round = 0; round < rounds; ++round)
    for (const Case& declared : declared_) {
      const double seconds = this->seconds(declared);
      if (round > 0 && (spent() > budget_ || 4 * seconds > budget_)) continue;
      HONE_TRY(const std::optional<Case> c, cases_.variant(declared, cases_.next_seed()));
      if (!c) return harness_failed(declared);
      HONE_TRY(const auto finding,
               cases_.judge(
                   *c, {.both_ends_of_reference = false, .twice = seconds < 0.25 || round > 0, .askew = round > 0}));
      if (finding) return finding;
    }
  for (const Case& declared : declared_) {
    if (seconds(declared) > budget_ / 30) continue;
    HONE_TRY(const auto finding, judge_neighbours(declared));
    if (finding) return finding;
  }
  return nothing();
}

Found Verifier::judge_special() {
  const double each = plan_.depth == bundle::Depth::trial ? 0.05 : 0.1;
  for (const Case& c : small_cases(plan_.depth == bundle::Depth::trial ? 3 : 6)) {
    if (spent() > 2 * budget_) return nothing();
    HONE_TRY(const auto finding,
             cases_.judge_special(c, special_values(spec_, c, SpecialScope::many, plan_.finite_math), each));
    if (finding) return finding;
  }
  const Case& declared = quickest();
  if (seconds(declared) > 0.02) return nothing();
  return cases_.judge_special(declared, special_values(spec_, declared, SpecialScope::few, plan_.finite_math), each);
}

// Those of the most elements first: ties and runs need room.
std::vector<Case> Verifier::roomy_cases(std::size_t most) const {
  std::vector<Case> cases = survived_;
  std::ranges::stable_sort(cases, std::ranges::greater{}, [](const Case& c) { return c.bytes(); });
  std::erase_if(cases, [](const Case& c) { return c.bytes() == 0 || c.bytes() > roomy_bytes; });
  if (cases.size() > most) cases.resize(most);
  return cases;
}

Found Verifier::judge_patterns_of(const Case& like, bool all, double seconds) {
  HONE_TRY(auto finding, cases_.judge_exact(like));
  const auto judge = [&](const std::vector<Pattern>& patterns, bool first_alone = false) -> Result<void> {
    if (finding) return {};
    HONE_TRY(finding, cases_.judge_patterns(like, patterns, first_alone, seconds));
    return {};
  };
  HONE_CHECK(judge(orders(spec_, all)));
  if (all) HONE_CHECK(judge(zero_lines(spec_, like)));
  if (!traits_.has_integer_sanitizers && draws(spec_, false)) HONE_CHECK(judge(wide_integers(spec_), true));
  if (!draws(spec_, true)) return finding;
  HONE_CHECK(judge(bands(spec_, all ? 6 : 1, cases_.next_seed())));
  HONE_CHECK(judge(full_magnitudes(spec_, -1), true));
  if (!plan_.finite_math && !plan_.flushes_denormals) HONE_CHECK(judge({{.kind = PatternKind::denormals}}));
  for (unsigned i = 0; all && i < spec_.parameters.size(); ++i)
    if (is_patterned(spec_.parameters[i], {.kind = PatternKind::magnitudes}, i))
      HONE_CHECK(judge(full_magnitudes(spec_, static_cast<int>(i)), true));
  return finding;
}

Found Verifier::judge_patterns() {
  const bool all = plan_.depth != bundle::Depth::trial;
  const double start = clock_.seconds();
  for (const Case& c : roomy_cases(all ? 4 : 2)) {
    if (clock_.seconds() - start > budget_) return nothing();
    HONE_TRY(const auto finding, judge_patterns_of(c, all, all ? 0.1 : 0.02));
    if (finding) return finding;
  }
  const Case& declared = quickest();
  if (seconds(declared) > (all ? 0.02 : 0.005) || (!all && declared.bytes() > 2 * roomy_bytes)) return nothing();
  HONE_TRY(auto finding, cases_.judge_exact(declared));
  std::vector<Pattern> patterns;
  for (const PatternKind kind : {PatternKind::equal, PatternKind::ascending, PatternKind::few, PatternKind::runs})
    if (all || patterns.size() < 2) patterns.push_back({.kind = kind, .integers_only = true});
  if (finding || !holds(spec_, false)) return finding;
  return cases_.judge_patterns(declared, patterns, false, all ? 0.1 : 0.02);
}

// Ties and sorted data on large sizes. What the original takes for such data, random ones do not tell, so each case is
// tried. No trial gets them.
Found Verifier::judge_crowds() {
  if (plan_.depth == bundle::Depth::trial) return nothing();
  const double until = spent() + crowds_budget(plan_.depth);
  for (const Case& declared : declared_) {
    HONE_TRY(const auto finding, judge_crowds_of(declared, until));
    if (finding) return finding;
  }
  return nothing();
}

Found Verifier::judge_crowds_of(const Case& declared, double until) {
  HONE_TRY(const Sizes sizes, this->sizes(declared.problem));
  const unsigned dropped = cases_.dropped();
  for (const Perturbation& size : crowded_sizes(spec_, declared, sizes, constants(), cases_.next_seed())) {
    if (spent() > until || cases_.dropped() - dropped >= 4 * most_dropped_of_kind()) break;
    HONE_TRY(const auto like, cases_.make(size.problem, size.overrides, large_bounds(plan_.depth).memory));
    if (!like) continue;
    HONE_TRY(const auto finding,
             cases_.judge_patterns(*like, crowds(spec_, cases_.may_know_the_truth(*like)), false, until - spent()));
    if (finding) return finding;
  }
  return nothing();
}

// Of the candidate's text and of the original's.
std::vector<long long> Verifier::constants() const {
  std::vector<long long> all = plan_.constants;
  for (const double constant : spec_.constants)
    if (constant == std::floor(constant) && std::fabs(constant) < 1e15) all.push_back(static_cast<long long>(constant));
  std::ranges::sort(all);
  const auto [end, last] = std::ranges::unique(all);
  all.erase(end, last);
  return all;
}

Found Verifier::judge_overlapping() {
  if (std::ranges::none_of(spec_.parameters, [](const Parameter& p) { return p.alias_group >= 0; })) return nothing();
  std::vector<Case> cases = small_cases(4);
  const std::size_t small = cases.size();
  cases.insert(cases.end(), declared_.begin(), declared_.end());
  for (std::size_t n = 0; n < cases.size(); ++n) {
    HONE_TRY(auto finding, cases_.judge(cases[n], {.overlap = {true, 0}}));
    if (finding) return finding;
    if (original_ || (n >= small && seconds(cases[n]) > 0.02)) continue;
    for (const long long shift : shifts(spec_, cases[n])) {
      HONE_TRY(finding, cases_.judge_shifted(cases[n], shift));
      if (finding) return finding;
    }
  }
  return nothing();
}

// The largest of the small cases, then the smallest with several data, since few elements come to rare ways out; where
// there is more time a declared problem.
Found Verifier::judge_growth() {
  if (!traits_.counts_every_byte) return nothing();
  if (!survived_.empty()) {
    HONE_TRY(auto finding, cases_.judge_growth(*std::ranges::max_element(survived_, {}, &Case::bytes)));
    if (finding) return finding;
    const Case& smallest = *std::ranges::min_element(survived_, {}, [](const Case& c) {
      return c.bytes() > 0 ? c.bytes() : std::numeric_limits<std::size_t>::max();
    });
    for (unsigned draw = 0; draw < (plan_.depth == bundle::Depth::trial ? growth_draws : 2 * growth_draws); ++draw) {
      HONE_TRY(const std::optional<Case> c, cases_.variant(smallest, cases_.next_seed()));
      if (!c) break;
      HONE_TRY(finding, cases_.judge_growth(*c));
      if (finding) return finding;
    }
  }
  const Case& declared = quickest();
  const double longest = plan_.depth == bundle::Depth::trial && !survived_.empty() ? 0 : growth_budget;
  return growth_calls * seconds(declared) < longest ? cases_.judge_growth(declared) : nothing();
}

Result<Sizes> Verifier::sizes(unsigned problem) {
  std::optional<Sizes>& sizes = sizes_[problem];
  if (!sizes) {
    HONE_TRY(sizes, cases_.sizes(declared_[problem]));
  }
  return *sizes;
}

// Every residue that is left over by vectors and tiles. Many cases, each looked at once.
Found Verifier::judge_residues() {
  const unsigned rounds = plan_.depth == bundle::Depth::trial ? 1 : plan_.depth == bundle::Depth::thorough ? 2 : 6;
  const double until = spent() + residues_budget(plan_.depth);
  for (unsigned round = 0; round < rounds; ++round) {
    const auto problem = (derive(plan_.seed, 0x4e51) + round) % declared_.size();
    // Each residue once even where the machine is busy, but in a trial.
    const bool first = round == 0 && plan_.depth != bundle::Depth::trial;
    HONE_TRY(const auto finding,
             judge_residues_of(declared_[problem], first ? until + 8 * residues_budget(plan_.depth) : until));
    if (finding) return finding;
  }
  return nothing();
}

// Sizes that are declared equal differ, until the original refuses that.
Found Verifier::judge_residues_of(const Case& declared, double until) {
  HONE_TRY(const Sizes sizes, this->sizes(declared.problem));
  const std::uint64_t seed = cases_.next_seed();
  const auto apart = residue_sizes(spec_, declared, sizes, false, seed);
  const auto tied = residue_sizes(spec_, declared, sizes, true, seed);
  const unsigned dropped = cases_.dropped();
  for (std::size_t n = 0; n < apart.size(); ++n) {
    if (spent() > until || cases_.dropped() - dropped >= most_dropped_of_kind()) break;
    const Perturbation& size = cases_.dropped() == dropped ? apart[n] : tied[n];
    HONE_TRY(const auto made, cases_.make(size.problem, size.overrides, perturbed_memory));
    if (!made) continue;
    HONE_TRY(const auto finding, cases_.glance(*made, {.reference_limit = residue_limit}));
    if (finding) return finding;
  }
  return nothing();
}

// Sizes beyond the declared ones: of every problem, or of the largest that is not slow.
Found Verifier::judge_large() {
  const double until = spent() + large_budget(plan_.depth);
  if (plan_.depth != bundle::Depth::trial) {
    for (const Case& declared : declared_) {
      HONE_TRY(const auto finding, judge_large_of(declared, until));
      if (finding) return finding;
    }
    return nothing();
  }
  const Case* largest = &quickest();
  for (const Case& declared : declared_)
    if (declared.bytes() > largest->bytes() && seconds(declared) < slow_for_large) largest = &declared;
  return judge_large_of(*largest, until);
}

Found Verifier::judge_large_of(const Case& declared, double until) {
  HONE_TRY(const Sizes sizes, this->sizes(declared.problem));
  const LargeBounds bounds = large_bounds(plan_.depth);
  const unsigned dropped = cases_.dropped();
  unsigned judged = 0;
  for (const auto& [size, work] : large_sizes(spec_, declared, sizes, constants(), cases_.next_seed())) {
    const double expected = std::max(work, 0.1) * seconds(declared);
    if (spent() > until || cases_.dropped() - dropped >= most_dropped_of_kind() || judged >= bounds.cases) break;
    if (expected > bounds.seconds) continue;
    HONE_TRY(const auto made, cases_.make(size.problem, size.overrides, bounds.memory));
    if (!made) continue;
    ++judged;
    HONE_TRY(const auto finding, cases_.glance(*made, {.reference_limit = bounds.seconds + 10 * expected,
                                                       .askew = plan_.depth != bundle::Depth::trial,
                                                       .coarse_without_truth = work > much_larger}));
    if (finding) return finding;
    if (!cases_.last_dropped() && work > 1 && larger_.size() < most_larger) larger_.push_back({*made, expected});
  }
  return nothing();
}

Result<std::optional<Case>> Verifier::scalar_case(const Case& like, const Sizes& sizes,
                                                  const std::vector<Override>& others) {
  std::vector<Override> overrides = sizes_of(like.overrides, sizes);
  overrides.insert(overrides.end(), others.begin(), others.end());
  return cases_.make(like.problem, overrides, plan_.memory_bytes);
}

// The sizes of `like`, and other scalars with them.
Found Verifier::judge_scalars_on(const Case& like, double until) {
  const Case& declared = declared_[like.problem];
  HONE_TRY(const Sizes sizes, this->sizes(like.problem));
  const Reach reach = cases_.may_ask() ? Reach::far : Reach::near;
  const unsigned dropped = cases_.dropped();
  for (const auto& others : other_scalars(spec_, declared, sizes, reach, derive(plan_.seed, cases_.next_seed()))) {
    if (spent() > until || cases_.dropped() - dropped >= most_dropped_of_kind()) break;
    HONE_TRY(const std::optional<Case> c, scalar_case(like, sizes, others));
    if (!c) continue;
    HONE_TRY(const auto finding, cases_.glance(*c, {.reference_limit = scalar_limit,
                                                    .steady = true,
                                                    .coarse = is_far_larger(spec_, declared, others)}));
    if (finding) return finding;
  }
  return nothing();
}

// Small sizes first: the smallest for scalars that bound loops, then the larger of them before the smaller, as few
// rounds show little. Then each declared problem once, as a value may be written down for its size alone.
Found Verifier::judge_scalars() {
  for (const Parameter& parameter : spec_.parameters)
    if (!parameter.pointer && parameter.fixed)
      cases_.note_not_tried(parameter.name + " is fixed: its problems' values alone");
  const double until = spent() + scalar_budget(plan_.depth);
  std::vector<Case> bases = small_cases(8);
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
  for (const Case& declared : declared_) {
    if (8 * seconds(declared) > budget_) continue;
    HONE_TRY(const Sizes sizes, this->sizes(declared.problem));
    const auto others = other_scalars(spec_, declared, sizes, Reach::near, derive(plan_.seed, cases_.next_seed()));
    if (others.empty()) continue;
    HONE_TRY(const std::optional<Case> c, scalar_case(declared, sizes, others.front()));
    if (!c) continue;
    HONE_TRY(const auto finding, cases_.glance(*c, {.reference_limit = 0.05 + 4 * seconds(declared), .steady = true}));
    if (finding) return finding;
  }
  return nothing();
}

Found Verifier::judge_changed() {
  if (!traits_.changes_in_place) return nothing();
  std::vector<Case> cases;
  for (const Case& c : survived_)
    if (c.bytes() > 0) cases.push_back(c);
  std::ranges::sort(cases, std::ranges::greater(), &Case::bytes);
  cases.resize(std::min<std::size_t>(cases.size(), plan_.depth == bundle::Depth::trial ? 1 : 6));
  if (4 * seconds(quickest()) < budget_ / 5) cases.push_back(quickest());
  for (const Case& c : cases) {
    HONE_TRY(const auto finding, cases_.judge_changed(c));
    if (finding) return finding;
  }
  return nothing();
}

Found Verifier::verify_candidate() {
  start_ = clock_.seconds();
  struct Pass {
    Found (Verifier::*judge)();
    bool has_time_of_its_own;
  };
  for (const Pass& pass :
       {Pass{&Verifier::judge_given, false}, Pass{&Verifier::judge_perturbed, false},
        Pass{&Verifier::judge_declared, false}, Pass{&Verifier::judge_residues, true},
        Pass{&Verifier::judge_scalars, true}, Pass{&Verifier::judge_large, true}, Pass{&Verifier::judge_special, false},
        Pass{&Verifier::judge_patterns, true}, Pass{&Verifier::judge_crowds, true},
        Pass{&Verifier::judge_overlapping, false}, Pass{&Verifier::judge_changed, false},
        Pass{&Verifier::judge_growth, false}, Pass{&Verifier::judge_held_out, false}}) {
    const double begin = clock_.seconds();
    HONE_TRY(const auto finding, (this->*pass.judge)());
    if (finding) return finding;
    if (pass.has_time_of_its_own) start_ += clock_.seconds() - begin;
  }
  return nothing();
}

Found Verifier::verify_original() {
  start_ = clock_.seconds();
  Oracle oracle(spec_);
  const auto examine = [&](const Case& c) -> Found {
    std::optional<Case> less;
    const auto around = neighbours(spec_, c.scalars, c.problem, 1);
    if (!around.empty()) {
      HONE_TRY(less, cases_.make(c.problem, around.front().overrides, plan_.memory_bytes));
    }
    HONE_TRY(auto finding, cases_.examine(oracle, c, less ? &*less : nullptr));
    if (finding) finding->reason += "; narrow it with tolerance(), or draw other data with init()";
    return finding;
  };
  for (const Case& declared : declared_)
    for (unsigned round = 0; round < 2; ++round) {
      if (round > 0 && seconds(declared) > 0.5) continue;
      HONE_TRY(const std::optional<Case> c, cases_.variant(declared, cases_.next_seed()));
      if (!c) return harness_failed(declared);
      HONE_TRY(auto finding, cases_.judge(*c, {}));
      if (finding) return finding;
      HONE_TRY(finding, examine(*c));
      if (finding) return finding;
    }
  if (oracle.all_zero())
    return Finding{
        "every output is zero on all data drawn, so that a wrong candidate could not be told: draw other data with "
        "init()",
        ""};
  if (const std::string output = oracle.never_a_number(); !output.empty())
    return Finding{output +
                       " is not a number in any element on all data drawn, so that a wrong candidate could not be "
                       "told: draw other data with init()",
                   ""};
  // Slight errors may hide among many elements; among few they must not.
  HONE_TRY(auto finding, judge_perturbed());
  if (finding && finding->reason.starts_with("the original is not deterministic")) return finding;
  for (const Case& c : small_cases(6)) {
    HONE_TRY(finding, examine(c));
    if (finding) return finding;
  }
  if (const std::string text = oracle.overlooked(); !text.empty())
    return Finding{text + "; narrow it with tolerance(), or draw other data with init()", ""};
  return judge_overlapping();
}

Found Verifier::verify_again(unsigned problem, std::uint64_t seed) {
  start_ = clock_.seconds();
  HONE_TRY(const std::optional<Case> c, cases_.variant(declared_[problem], seed));
  if (!c) return harness_failed(declared_[problem]);
  HONE_TRY(auto finding, cases_.judge(*c, {.both_ends_of_reference = false}));
  std::vector<Case> again = small_cases(8);
  for (const Case& declared : declared_)
    if (declared.problem != problem && seconds(declared) < again_budget / 10) again.push_back(declared);
  unsigned judged = 0;  // some, however busy the machine is
  for (const Case& like : again) {
    const bool late = spent() > again_budget + 4 * seconds(declared_[problem]);
    if (finding || (late && judged++ >= fewest_again)) break;
    HONE_TRY(const std::optional<Case> other, cases_.variant(like, derive(seed, cases_.next_seed())));
    if (!other) continue;
    HONE_TRY(finding, cases_.judge(*other, {.both_ends_of_reference = false}));
  }
  return finding;
}

// Arithmetic on them overflows in many originals: only where the original's sanitizers keep silent are they a case.
Found Verifier::judge_integer_extremes(Subject& subject, Subject& reference, std::string_view how) {
  for (const Case& like : small_cases(3))
    for (const Sprinkling& special : integer_extremes(spec_, like)) {
      Case c = like;
      c.seed = cases_.next_seed();
      c.special = special;
      if (!cases_.is_clean(c, reference)) return nothing();
      HONE_TRY(auto finding, cases_.judge_special(c, {special}, sanitized_budget));
      if (finding) return finding;
      HONE_TRY(finding, cases_.judge_sanitized(c, subject, nullptr, how));
      if (finding) return finding;
    }
  return nothing();
}

// Of integers as wide as its arithmetic, which has no value beyond them.
bool may_overflow(const KernelSpec& spec) {
  return std::ranges::any_of(spec.parameters, [](const Parameter& p) {
    return p.pointer && p.role != Role::out && !p.init && std::ranges::any_of(p.element.fields, [](const Field& field) {
             return field.type.kind == ScalarKind::signed_integer && field.type.size >= 4;
           });
  });
}

// Neighbours that are both the least of their type, which products of pairs may not hold.
Found Verifier::judge_ends(Subject& subject, Subject& reference, std::string_view how) {
  for (Case c : roomy_cases(2)) {
    c.seed = cases_.next_seed();
    c.pattern = {.kind = PatternKind::ends};
    if (!cases_.is_clean(c, reference)) return nothing();
    HONE_TRY(auto finding, cases_.judge_patterns(c, {c.pattern}, true, sanitized_budget));
    if (finding) return finding;
    HONE_TRY(finding, cases_.judge_sanitized(c, subject, nullptr, how));
    if (finding) return finding;
  }
  return nothing();
}

// From the widest to the narrowest that the original's sanitizers are silent about.
Found Verifier::judge_wide_integers(Subject& subject, Subject& reference, std::string_view how) {
  if (!draws(spec_, false)) return nothing();
  const bool all = plan_.depth != bundle::Depth::trial;
  std::vector<Pattern> patterns = wide_integers(spec_);
  if (!all) patterns = {patterns[may_overflow(spec_) ? 3 : 0]};  // each that is too wide costs a process
  if (all && !may_overflow(spec_)) {  // sums and products of narrow ones have room in their wider arithmetic
    HONE_TRY(auto finding, judge_ends(subject, reference, how));
    if (finding) return finding;
  }
  for (const Case& like : roomy_cases(all ? 3 : 1))
    for (const Pattern& pattern : patterns) {
      if (spent() > 4 * sanitized_budget) return nothing();
      Case c = like;
      c.seed = cases_.next_seed();
      c.pattern = pattern;
      if (!cases_.is_clean(c, reference)) continue;
      HONE_TRY(auto finding, cases_.judge_patterns(c, {pattern}, true, sanitized_budget));
      if (finding) return finding;
      HONE_TRY(finding, cases_.judge_sanitized(c, subject, nullptr, how));
      if (finding) return finding;
      break;
    }
  return nothing();
}

Found Verifier::verify_sanitized(Subject& subject, Subject* reference, std::string_view how) {
  start_ = clock_.seconds();
  std::vector<Case> cases = small_cases(6);
  cases.insert(cases.begin(), given_.begin(), given_.end());
  const Case& smallest = quickest();
  const bool quick = sanitized_slowdown * seconds(smallest) < sanitized_budget;
  const bool bearable = sanitized_slowdown * seconds(smallest) < 10 * sanitized_budget || original_;
  if (quick || (cases.empty() && bearable)) cases.push_back(smallest);
  for (const Case& c : cases) {
    if (spent() > 2 * sanitized_budget) return nothing();
    HONE_TRY(const auto finding, cases_.judge_sanitized(c, subject, reference, how));
    if (finding) return finding;
  }
  // The largest of the small ones, for the loop over whole vectors.
  if (!original_ && !cases.empty()) {
    const Case& like =
        *std::ranges::max_element(cases, {}, [&](const Case& c) { return c.declared() ? 0 : c.bytes(); });
    HONE_TRY(const auto finding, cases_.judge_sanitized_askew(like, subject, reference, how));
    if (finding) return finding;
  }
  if (!reference) return nothing();
  HONE_TRY(auto finding, judge_integer_extremes(subject, *reference, how));
  return finding ? Found(std::move(finding)) : judge_wide_integers(subject, *reference, how);
}

// Who takes threads for large sizes only shows nothing on small ones: the declared problems come first, and the
// quickest may take longer than all should. Each case twice, since it depends on what ran before what whether an order
// is seen between two accesses.
Found Verifier::verify_race_free(Subject& subject, Subject* reference, std::string_view how) {
  start_ = clock_.seconds();
  std::vector<Timed> cases;
  for (const Case& declared : declared_) cases.push_back({declared, seconds(declared)});
  std::ranges::sort(cases, {}, &Timed::seconds);
  cases.insert(cases.end(), larger_.begin(), larger_.end());
  for (const Case& small : survived_) cases.push_back({small, 0});
  const double budget = plan_.depth == bundle::Depth::trial && !original_ ? race_budget : 3 * race_budget;
  for (unsigned round = 0; round < 2; ++round)
    for (std::size_t n = 0; n < cases.size(); ++n) {
      const double expected = race_slowdown * cases[n].seconds;
      const bool bearable = round == 0 && n == 0 && expected < 10 * budget;
      if (!bearable && spent() + expected > budget) continue;
      HONE_TRY(const auto finding, cases_.judge_sanitized(cases[n].c, subject, reference, how));
      if (finding) return finding;
    }
  return nothing();
}

Found Verifier::verify_rescheduled() {
  start_ = clock_.seconds();
  std::vector<Case> cases = small_cases(4);
  cases.insert(cases.begin(), quickest());
  for (const Case& like : cases) {
    if (spent() > budget_) break;
    HONE_TRY(const std::optional<Case> c, cases_.variant(like, cases_.next_seed()));
    if (!c) continue;
    HONE_TRY(const auto finding, cases_.judge(*c, {.both_ends_of_reference = false}));
    if (finding) return finding;
  }
  return nothing();
}

// Where there are many blocks first, which small cases lack.
Found Verifier::verify_pausing(Subject& subject) {
  start_ = clock_.seconds();
  std::vector<Case> cases = small_cases(4);
  cases.insert(cases.begin(), 2, quickest());
  for (const Case& like : cases) {
    if (spent() > pausing_budget) break;
    HONE_TRY(const std::optional<Case> c, cases_.variant(like, cases_.next_seed()));
    if (!c) continue;
    HONE_TRY(const auto finding, cases_.judge_slowed(*c, subject, "a race: where its warps pause at barriers, "));
    if (finding) return finding;
  }
  return nothing();
}

std::vector<Case> Verifier::sanitized_device_cases() const {
  std::vector<Case> cases = small_cases(device_sanitized_cases);
  if (cases.empty()) cases.push_back(quickest());
  return cases;
}

Result<Case> Verifier::counted_case() {
  for (const Case& c : declared_) HONE_CHECK(cases_.time_reference(c));
  const Case* longest = &quickest();
  for (const Case& c : declared_)
    if (seconds(c) <= counted_seconds && seconds(c) > seconds(*longest)) longest = &c;
  return *longest;
}

Result<std::optional<std::string>> Verifier::run_counted(Subject& subject) {
  HONE_TRY(const Case counted, counted_case());
  HONE_TRY(const bool came_back, cases_.run_plainly(counted, subject, counted_timeout));
  return came_back ? std::optional(counted.label) : std::nullopt;
}

Result<Bench::Scales> Verifier::scales(unsigned problem) {
  const double excused = cases_.excused();
  HONE_TRY(std::optional<Bench::Scales> scales, cases_.scales(declared_[problem], excused > 0));
  if (!scales) return Bench::Scales();
  // What was excused once would be found wrong while timed, where nobody asks for the truth.
  for (auto& fields : *scales)
    for (double& scale : fields) scale *= std::max(1.0, excuse_varies * excused);
  return std::move(*scales);
}

bool Verifier::clearly_faster() const {
  return std::ranges::all_of(declared_, [&](const Case& c) {
    const double candidate = cases_.candidate_seconds(c.problem);
    return candidate > 0 && 2 * candidate < seconds(c);
  });
}

Result<std::optional<CaseJudge::Errors>> Verifier::errors() {
  return cases_.errors(quickest());
}

}  // namespace hone::judge
