#include "tool/tune/trial/confirmation.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "tool/model/mixed_gain.h"
#include "tool/statistics/statistics.h"

namespace hone::tune {
namespace {

constexpr std::size_t most_measured = 3;  // afresh: the fourth was never far ahead

// Is it a gain even for the best of so many trials? At whichever look its trial ended, and by its samples alone.
bool holds_among(const Verdict& verdict, unsigned trials) {
  constexpr double level = 0.01;  // of a whole search, upwards
  constexpr unsigned most_looks = 4;
  statistics::AcceptanceRule rule;
  rule.looks = {verdict.measurement.seconds};
  rule.shares.clear();
  rule.confidence = 1 - 2 * level / (most_looks * std::max(trials, 1u));
  std::vector<statistics::PairedSamples> samples;
  for (const ProblemMeasurement& problem : verdict.measurement.problems)
    samples.push_back({.weight = problem.weight,
                       .reference = problem.reference_samples,
                       .candidate = problem.candidate_samples,
                       .common_error = problem.common_error});
  return statistics::estimate(samples, rule, 0).decision == statistics::Decision::faster;
}

// Of accepted[at], as it was measured afresh.
std::optional<Accepted> choice_behind(const std::vector<Accepted>& accepted, std::size_t at, const Verdict& fresh,
                                      const ConfirmationSteps& steps) {
  if (!fresh.right || !accepted[at].candidate.behind_choice.empty()) return std::nullopt;
  // What it was reduced from stands behind it, and is slower where it is.
  const auto next = std::find_if(accepted.begin() + static_cast<std::ptrdiff_t>(at), accepted.end(),
                                 [&](const Accepted& one) { return one.trial != accepted[at].trial; });
  const double known = next == accepted.end() ? 1 : next->verdict.measurement.speedup.median;
  if (!mixed_gain(fresh.measurement).is_worth_it(known)) return std::nullopt;
  Accepted mixed = accepted[at];
  mixed.verdict = fresh;
  return steps.with_choice(mixed);
}

}  // namespace

std::size_t first_certain(const std::vector<Accepted>& accepted, std::size_t from, unsigned trials) {
  while (from < accepted.size() && !holds_among(accepted[from].verdict, trials)) ++from;
  return from;
}

// Wrong or no longer faster at the second look: the next best.
Winner confirm(SearchOutcome& found, const ConfirmationSteps& steps) {
  std::vector<Accepted>& accepted = found.accepted;
  const bool reduced = !accepted.empty() && accepted.front().reduction.has_value();
  std::size_t most = most_measured;
  std::size_t next = 0;                // what has not failed to hold
  std::optional<std::size_t> fitting;  // known to compile in its file
  std::string misfit;
  for (std::size_t i = 0; i < std::min(accepted.size(), most) && !steps.stopped() && !found.error; ++i) {
    const Candidate candidate = accepted[i].candidate;
    const auto clash = steps.misfit(candidate.source);
    if (steps.stopped()) break;
    if (!clash) {
      found.error = clash.error();
      break;
    }
    if (!clash->why.empty()) {
      steps.note(fmt::format("{} does not fit into its file: {}", candidate.name, clash->why));
      if (misfit.empty() && !clash->known_to_key) misfit = clash->why;
      next = i + 1;
      ++most;  // the next ones may be written in another way
      continue;
    }
    fitting = i;
    const auto verdict = steps.measured(candidate);
    if (steps.stopped()) break;
    if (!verdict) {
      found.error = verdict.error();
      break;
    }
    if (verdict->right && verdict->faster) return {i, *verdict, ""};
    steps.note(fmt::format("{} did not hold when it was measured again: {}", candidate.name,
                           verdict->reason.empty() ? "not faster" : verdict->reason));
    next = i + 1;
    if (auto chosen = choice_behind(accepted, i, *verdict, steps)) {
      accepted.insert(accepted.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(*chosen));
      ++most;
    }
  }
  Winner none;
  none.misfit = std::move(misfit);
  if (accepted.empty() || (!steps.stopped() && !found.error)) return none;
  // No second look is possible any more: the first must do, for the best candidate of which it leaves no doubt. What is
  // reduced had no first look.
  if (reduced && next == 0) next = 1;
  next = first_certain(accepted, next, found.counts.total);
  if (next == accepted.size()) return none;
  // What was judged in its unit alone, or compiled for one device alone, is not locked on that.
  if (fitting != next && steps.misfit(accepted[next].candidate.source).value_or(Misfit{"nobody knows"}).why != "")
    return none;
  return {next, std::nullopt,
          found.error ? "locked as the search measured it: " + found.error->message()
                      : "stopped before it was measured afresh: locked as the search measured it"};
}

}  // namespace hone::tune
