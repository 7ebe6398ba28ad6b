#include "tool/evaluate/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tool/evaluate/failure_text.h"
#include "tool/evaluate/perturb.h"
#include "tool/evaluate/random.h"

namespace hone::evaluate {
namespace {

constexpr unsigned perturbed_cases = 18;
constexpr unsigned most_dropped = 10;  // each costs a new process
constexpr std::size_t perturbed_memory = 32u << 20;
constexpr std::size_t few_elements = 16;
constexpr double perturbed_reference_timeout = 0.5;
constexpr double generous_budget = 0.15;  // seconds; what comes after it is left out
constexpr double sanitized_slowdown = 40;
constexpr double sanitized_budget = 0.25;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::optional<Finding> nothing() {
  return std::nullopt;
}

}  // namespace

Verifier::Verifier(const KernelSpec& spec, const Plan& plan, std::vector<Case> declared, Runner& reference,
                   Runner& second)
    : spec_(spec),
      plan_(plan),
      declared_(std::move(declared)),
      reference_(reference),
      second_(second),
      bench_(spec),
      reference_seconds_(spec.problems.size()),
      declared_scales_(spec.problems.size()),
      derive_seed_(derive(plan.seed, 0x7e51f1)) {}

double Verifier::spent() const {
  return now() - start_;
}

double Verifier::reference_timeout(const Case& c) const {
  return c.declared() ? plan_.timeout_seconds : std::min(perturbed_reference_timeout, plan_.timeout_seconds);
}

double Verifier::candidate_timeout(double reference_seconds) const {
  return std::min(std::max(1.0, 20 * reference_seconds), std::max(plan_.timeout_seconds, 2 * reference_seconds));
}

Verifier::Found Verifier::reference_failed(const Case& c, const Misdeed& misdeed) {
  HONE_CHECK(reference_.restart());
  if (c.declared()) return Finding{"the original " + misdeed.sentence, misdeed.detail};
  last_dropped_ = true;
  ++dropped_;
  return nothing();
}

// The same sizes with other data. nullopt: there is none (a drawn scalar makes the difference).
Result<std::optional<Case>> Verifier::variant(const Case& like, std::uint64_t seed) {
  auto made = make_case(spec_, reference_, like.problem, seed, like.overrides, plan_.memory_bytes);
  if (made) return std::optional<Case>(std::move(*made));
  if (made.error().failure) HONE_CHECK(reference_.restart());
  return std::optional<Case>();
}

// An output of a few elements has no rms to speak of: its scale is taken over draws too. nullopt: the original failed.
Result<std::optional<Bench::Scales>> Verifier::few_element_scales(const Case& c) {
  const auto is_few = [&](std::size_t i) {
    return i == spec_.parameters.size() ? spec_.result.has_value()
                                        : spec_.parameters[i].pointer && spec_.parameters[i].role != Role::in &&
                                              c.arrays[i].elements <= few_elements;
  };
  bool any = false;
  for (std::size_t i = 0; i <= spec_.parameters.size(); ++i) any |= is_few(i);
  if (!any) return std::optional<Bench::Scales>(Bench::Scales());
  const bool keep = c.declared();
  if (keep && declared_scales_[c.problem]) return declared_scales_[c.problem];

  const unsigned draws = reference_seconds_[c.problem] > 0.02 && c.overrides.empty() ? 1 : 3;
  Bench::Scales sums(spec_.parameters.size() + 1);
  unsigned drawn = 0;
  for (unsigned n = 0; n < draws; ++n) {
    HONE_TRY(const std::optional<Case> other, variant(c, next_seed()));
    if (!other) break;
    HONE_CHECK(bench_.set_up(*other));
    const auto run = bench_.run(reference_, Bench::Side::reference, reference_timeout(c), next_seed());
    if (!run) {
      HONE_CHECK(reference_.restart());
      return std::optional<Bench::Scales>();
    }
    const Bench::Scales scales = bench_.scales(*run);
    for (std::size_t i = 0; i < scales.size(); ++i) {
      if (!is_few(i)) continue;
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

Verifier::Found Verifier::judge(const Case& c, Depth depth) {
  last_dropped_ = false;
  const auto blame = [&](const Misdeed& misdeed) {
    return Finding{original_ ? "the original " + misdeed.sentence : misdeed.sentence, misdeed.detail};
  };
  HONE_TRY(const std::optional<Bench::Scales> scales, few_element_scales(c));
  if (!scales)
    return reference_failed(c, Misdeed{"did not survive other data of the same size (" + c.label + ")", "", false});
  HONE_CHECK(bench_.set_up(c, depth.overlap));
  const double limit = reference_timeout(c);
  if (depth.both_ends_of_reference) {
    bench_.place(Ends::end);
    if (const auto run = bench_.run(reference_, Bench::Side::reference, limit, next_seed()); !run)
      return reference_failed(c, run.error());
    bench_.place(Ends::start);
  }
  const auto expected = bench_.run(reference_, Bench::Side::reference, limit, next_seed());
  if (!expected) return reference_failed(c, expected.error());
  // An original that loses a NaN or an infinity makes no promise about them.
  if (c.special == Special::not_finite && !bench_.keeps_not_finite(*expected)) return nothing();
  if (c.declared()) {
    double& best = reference_seconds_[c.problem];
    best = best == 0 ? expected->seconds : std::min(best, expected->seconds);
  }

  const double timeout = candidate_timeout(expected->seconds);
  const bool deterministic = spec_.threads == 1;
  const auto first = bench_.run(second_, Bench::Side::candidate, timeout, next_seed());
  if (!first) return blame(first.error());
  if (original_ && deterministic)
    if (const std::string text = bench_.differ_from_reference(*expected, *first); !text.empty())
      return Finding{"the original is not deterministic: " + text, ""};
  if (const std::string text = bench_.compare(*expected, Ends::start, *first, *scales); !text.empty())
    return Finding{text, ""};
  if (depth.twice) {
    const Bench::Snapshot earlier = bench_.snapshot(Bench::Side::candidate, *first);
    const auto again = bench_.run(second_, Bench::Side::candidate, timeout, next_seed());
    if (!again) return blame(again.error());
    const std::string text =
        deterministic ? bench_.differ(earlier, *again) : bench_.compare(*expected, Ends::start, *again, *scales);
    if (!text.empty())
      return Finding{
          deterministic ? (original_ ? "the original is not deterministic: " : "not deterministic: ") + text : text,
          ""};
  }
  bench_.place(Ends::end);
  const auto last = bench_.run(second_, Bench::Side::candidate, timeout, next_seed());
  if (!last) return blame(last.error());
  if (const std::string text = bench_.compare(*expected, Ends::start, *last, *scales); !text.empty())
    return Finding{text, ""};
  ++judged_;
  return nothing();
}

Verifier::Found Verifier::judge_perturbed() {
  std::vector<std::vector<worker::Scalar>> scalars;
  for (const Case& c : declared_) scalars.push_back(c.scalars);
  for (const Perturbation& perturbation : perturbations(spec_, scalars, perturbed_cases, derive(plan_.seed, 0x9e87))) {
    if (dropped_ >= most_dropped || (spent() > generous_budget && survived_.size() >= 4)) break;
    auto made = make_case(spec_, reference_, perturbation.problem, next_seed(), perturbation.overrides,
                          std::min(perturbed_memory, plan_.memory_bytes));
    if (!made) {
      if (made.error().failure) HONE_CHECK(reference_.restart());
      ++dropped_;
      continue;
    }
    HONE_TRY(const auto finding, judge(*made, {}));
    if (finding) return finding;
    if (!last_dropped_) survived_.push_back(std::move(*made));
  }
  return nothing();
}

Verifier::Found Verifier::judge_declared() {
  // Every problem once before any twice.
  for (unsigned round = 0; round < 3; ++round)
    for (const Case& declared : declared_) {
      const double seconds = reference_seconds_[declared.problem];
      if (round > 0 && (spent() > generous_budget || 4 * seconds > generous_budget)) continue;
      HONE_TRY(const std::optional<Case> c, variant(declared, next_seed()));
      if (!c) return Finding{fmt::format("the original's harness failed ({})", declared.label), ""};
      HONE_TRY(const auto finding, judge(*c, {.both_ends_of_reference = false, .twice = seconds < 0.25 || round > 0}));
      if (finding) return finding;
    }
  for (const Case& declared : declared_) {
    if (reference_seconds_[declared.problem] > 0.005) continue;
    for (const Perturbation& neighbour : neighbours(spec_, declared.scalars, declared.problem)) {
      if (spent() > generous_budget || dropped_ >= most_dropped) return nothing();
      auto made = make_case(spec_, reference_, neighbour.problem, next_seed(), neighbour.overrides, plan_.memory_bytes);
      if (!made) {
        if (made.error().failure) HONE_CHECK(reference_.restart());
        continue;
      }
      HONE_TRY(const auto finding, judge(*made, {}));
      if (finding) return finding;
    }
  }
  return nothing();
}

Verifier::Found Verifier::judge_special() {
  std::vector<Case> cases(survived_.begin(),
                          survived_.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(survived_.size(), 2)));
  const auto smallest =
      std::ranges::min_element(declared_, {}, [&](const Case& c) { return reference_seconds_[c.problem]; });
  if (reference_seconds_[smallest->problem] < 0.02) cases.push_back(*smallest);
  for (Case c : cases)
    for (const Special special : {Special::small, Special::huge, Special::not_finite}) {
      if (spent() > 2 * generous_budget) return nothing();
      c.special = special;
      c.seed = next_seed();
      HONE_TRY(const auto finding, judge(c, {.twice = false}));
      if (finding) return finding;
    }
  return nothing();
}

Verifier::Found Verifier::judge_overlapping() {
  if (std::ranges::none_of(spec_.parameters, [](const Parameter& p) { return p.alias_group >= 0; })) return nothing();
  std::vector<Case> cases = survived_;
  cases.resize(std::min<std::size_t>(cases.size(), 3));
  cases.insert(cases.end(), declared_.begin(), declared_.end());
  for (const Case& c : cases) {
    HONE_TRY(const auto finding, judge(c, {.overlap = true}));
    if (finding) return finding;
  }
  return nothing();
}

Verifier::Found Verifier::verify_candidate() {
  start_ = now();
  original_ = false;
  // Small sizes first: most wrong candidates fail there, within milliseconds.
  for (const auto pass : {&Verifier::judge_perturbed, &Verifier::judge_declared, &Verifier::judge_special,
                          &Verifier::judge_overlapping}) {
    HONE_TRY(const auto finding, (this->*pass)());
    if (finding) return finding;
  }
  return nothing();
}

Verifier::Found Verifier::verify_original() {
  start_ = now();
  original_ = true;
  bool all_zero = true;
  for (const Case& declared : declared_)
    for (unsigned round = 0; round < 2; ++round) {
      if (round > 0 && reference_seconds_[declared.problem] > 0.5) continue;
      HONE_TRY(const std::optional<Case> c, variant(declared, next_seed()));
      if (!c) return Finding{fmt::format("the original's harness failed ({})", declared.label), ""};
      HONE_TRY(const auto finding, judge(*c, {}));
      if (finding) return finding;
      HONE_TRY(const std::optional<Bench::Scales> scales, few_element_scales(*c));
      HONE_CHECK(bench_.set_up(*c));
      const auto expected = bench_.run(reference_, Bench::Side::reference, reference_timeout(*c), next_seed());
      if (!expected) return reference_failed(*c, expected.error());
      all_zero &= bench_.all_zero(*expected);
      for (const bool constant : {false, true}) {
        const std::string fooled = bench_.accepts_fake(*expected, scales.value_or(Bench::Scales()), constant);
        if (!fooled.empty())
          return Finding{
              fmt::format("{} ({}): narrow it with tolerance(), or draw other data with init()", fooled, c->label), ""};
      }
    }
  if (all_zero)
    return Finding{
        "every output is zero on all data drawn, so that a wrong candidate could not be told: draw other data with "
        "init()",
        ""};
  return judge_overlapping();
}

Verifier::Found Verifier::verify_again(unsigned problem, std::uint64_t seed) {
  HONE_TRY(const std::optional<Case> c, variant(declared_[problem], seed));
  if (!c) return Finding{fmt::format("the original's harness failed ({})", declared_[problem].label), ""};
  return judge(*c, {.both_ends_of_reference = false});
}

void Verifier::release_memory() {
  bench_ = Bench(spec_);
}

Result<Bench::Scales> Verifier::scales(unsigned problem) {
  HONE_TRY(std::optional<Bench::Scales> scales, few_element_scales(declared_[problem]));
  return std::move(scales).value_or(Bench::Scales());
}

Verifier::Found Verifier::verify_sanitized(Runner& subject, Runner* reference, const char* name) {
  const double start = now();
  std::vector<Case> cases = survived_;
  cases.resize(std::min<std::size_t>(cases.size(), 6));
  const auto smallest =
      std::ranges::min_element(declared_, {}, [&](const Case& c) { return reference_seconds_[c.problem]; });
  const bool quick = sanitized_slowdown * reference_seconds_[smallest->problem] < sanitized_budget;
  const bool bearable = sanitized_slowdown * reference_seconds_[smallest->problem] < 10 * sanitized_budget || original_;
  if (quick || (cases.empty() && bearable)) cases.push_back(*smallest);
  for (const Case& c : cases) {
    if (now() - start > 2 * sanitized_budget) break;
    HONE_CHECK(bench_.set_up(c));
    const double timeout = 5 + 100 * reference_seconds_[c.problem];
    const auto run = bench_.run(subject, Bench::Side::candidate, timeout, next_seed(), true);
    if (run || run.error().is_timeout) {
      if (!run) break;
      continue;
    }
    const Misdeed misdeed = run.error();
    if (reference) {
      const auto original = bench_.run(*reference, Bench::Side::reference, timeout, next_seed(), true);
      if (!original) {  // not of the candidate's making: a size that the original is not made for either
        HONE_CHECK(reference->restart());
        HONE_CHECK(subject.restart());
        continue;
      }
    }
    return Finding{fmt::format("{}under the sanitizers: {}", name, misdeed.sentence), misdeed.detail};
  }
  return nothing();
}

}  // namespace hone::evaluate
