#include "tool/search/history.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>

namespace hone::search {
namespace {

bool holds(const std::vector<unsigned>& numbers, unsigned number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

std::vector<unsigned> best_of(const Place& place, const std::vector<unsigned>& but, std::size_t count) {
  std::vector<unsigned> picked;
  for (const Population::Member& member : place.members)
    if (picked.size() < count && member.trial != 0 && !holds(but, member.trial)) picked.push_back(member.trial);
  return picked;
}

// Even steps from the fastest to the slowest, by ratio: however many are alike, the others are shown.
std::vector<unsigned> spread_of(const std::vector<Trial>& trials, const std::vector<unsigned>& but, std::size_t count) {
  std::vector<unsigned> right = right_trials(trials);
  std::erase_if(right, [&](unsigned trial) { return holds(but, trial); });
  std::stable_sort(right.begin(), right.end(),
                   [&](unsigned a, unsigned b) { return fitness(trials[a].verdict) > fitness(trials[b].verdict); });
  if (right.size() <= count) return right;
  const auto pace = [&](unsigned trial) { return std::log(std::max(fitness(trials[trial].verdict), 1e-6)); };
  const double fastest = pace(right.front()), slowest = pace(right.back());
  std::vector<unsigned> picked;
  while (picked.size() < count) {
    const double step = count > 1 ? static_cast<double>(picked.size()) / static_cast<double>(count - 1) : 0;
    const auto nearest = std::ranges::min_element(
        right, {}, [&](unsigned trial) { return std::abs(pace(trial) - (fastest + step * (slowest - fastest))); });
    picked.push_back(*nearest);
    right.erase(nearest);
  }
  return picked;
}

std::vector<unsigned> recent_of(const std::vector<Trial>& trials, const std::vector<unsigned>& but, std::size_t count) {
  std::vector<unsigned> picked;
  for (auto trial = trials.rbegin(); trial != trials.rend() && picked.size() < count; ++trial)
    if (trial->number != 0 && !trial->duplicate_of && !holds(but, trial->number)) picked.push_back(trial->number);
  return picked;
}

std::vector<unsigned> lineage_of(const std::vector<Trial>& trials, const std::vector<unsigned>& parents,
                                 std::size_t count) {
  std::vector<unsigned> picked;
  if (parents.empty()) return picked;
  const Trial* at = &trials[parents.back()];
  while (picked.size() < count && !at->candidate.parents.empty()) {
    at = &trials[at->candidate.parents.back()];
    if (at->number != 0) picked.push_back(at->number);
  }
  return picked;
}

std::vector<unsigned> siblings_of(const std::vector<Trial>& trials, const std::vector<unsigned>& parents,
                                  std::size_t count) {
  std::vector<unsigned> picked;
  if (parents.empty()) return picked;
  for (auto trial = trials.rbegin(); trial != trials.rend() && picked.size() < count; ++trial)
    if (!trial->duplicate_of && holds(trial->candidate.parents, parents.back()) && !holds(parents, trial->number))
      picked.push_back(trial->number);
  return picked;
}

void arrange(std::vector<unsigned>& picked, const std::vector<Trial>& trials, Order order) {
  std::sort(picked.begin(), picked.end());
  if (order == Order::oldest_first) return;
  const double sign = order == Order::slow_to_fast ? 1 : -1;
  std::stable_sort(picked.begin(), picked.end(), [&](unsigned a, unsigned b) {
    return sign * fitness(trials[a].verdict) < sign * fitness(trials[b].verdict);
  });
}

}  // namespace

std::vector<unsigned> right_trials(const std::vector<Trial>& trials) {
  std::vector<unsigned> right;
  for (const Trial& trial : trials)
    if (trial.verdict.right && !trial.duplicate_of) right.push_back(trial.number);
  return right;
}

std::vector<unsigned> pick_history(const std::vector<Trial>& trials, const HistoryChoice& choice, const Place& place,
                                   const std::vector<unsigned>& parents) {
  std::vector<unsigned> picked;
  switch (choice.pick) {
    case Pick::best:
      picked = best_of(place, parents, choice.count);
      break;
    case Pick::spread:
      picked = spread_of(trials, parents, choice.count);
      break;
    case Pick::recent:
      picked = recent_of(trials, parents, choice.count);
      break;
    case Pick::lineage:
      picked = lineage_of(trials, parents, choice.count);
      break;
    case Pick::siblings:
      picked = siblings_of(trials, parents, choice.count);
      break;
    case Pick::node:
      assert(false && "what a node remembers is drawn before");
      break;
  }
  arrange(picked, trials, choice.order);
  return picked;
}

std::vector<unsigned> pick_insights(const std::vector<Trial>& trials, unsigned count, const std::vector<unsigned>& but,
                                    Random& random) {
  std::vector<unsigned> from, picked;
  std::set<std::string> thoughts;
  for (const Trial& trial : trials)
    if (!trial.duplicate_of && !trial.candidate.thought.empty() && !holds(but, trial.number) &&
        thoughts.insert(trial.candidate.thought).second)
      from.push_back(trial.number);
  while (picked.size() < count && !from.empty()) {
    const std::size_t at = random.below(from.size());
    picked.push_back(from[at]);
    from.erase(from.begin() + static_cast<std::ptrdiff_t>(at));
  }
  std::sort(picked.begin(), picked.end());
  return picked;
}

std::vector<unsigned> pick_errors(const std::vector<Trial>& trials, unsigned count, const Place& place,
                                  const std::vector<unsigned>& but) {
  std::vector<unsigned> picked;
  std::set<std::string> reasons;
  const auto take = [&](const Trial& trial) {
    if (picked.size() >= count || trial.verdict.right || trial.duplicate_of || holds(but, trial.number)) return;
    if (reasons.insert(trial.verdict.reason).second) picked.push_back(trial.number);
  };
  for (auto trial = place.failures.rbegin(); trial != place.failures.rend(); ++trial) take(trials[*trial]);
  for (auto trial = trials.rbegin(); trial != trials.rend(); ++trial)
    if (!holds(picked, trial->number)) take(*trial);
  std::sort(picked.begin(), picked.end());
  return picked;
}

}  // namespace hone::search
