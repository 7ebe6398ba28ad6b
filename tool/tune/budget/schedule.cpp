#include "tool/tune/budget/schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hone::tune {
namespace {

// Of a kernel's even share: its first slice, and each further one. So many seconds at least: a judgment takes one or
// two.
constexpr double first_share = 0.25, further_share = 0.125;
constexpr double least_first = 4, least_slice = 2, longest_slice = 60;

// What a slice is expected to gain before one has been seen (3% a trial in the recorded searches, and five trials), and
// as how many slices that counts.
constexpr double prior_gain = 0.15, prior_slices = 1;
constexpr double forgets = 0.7;  // what a slice counts after the next one
constexpr double luck_scale = 0.01;

using Stage = Slice::Stage;

bool is_idle(const Standing& one) {
  return one.begun && !one.served && !one.expired &&
         (one.state.stage == Stage::opening || one.state.stage == Stage::searching);
}

// All that the others' finals leave. Where slices took longer than they should, and not enough is left for all, what it
// may take is still its own: most take less, so that the next ones have the rest.
double seconds_of_finals(double reserve, double spare, double left) {
  return std::max({spare + reserve, std::min(reserve, left), 0.0});
}

bool needs_finals(const Standing& one) {
  return one.state.best > 1 && one.state.stage != Stage::closed;
}

}  // namespace

Schedule::Schedule(double seconds, std::vector<double> weights, unsigned lanes)
    : weights_(std::move(weights)),
      lanes_(std::max(lanes, 1u)),
      share_(seconds * lanes_ / static_cast<double>(std::max<std::size_t>(weights_.size(), 1))),
      usual_(std::clamp(further_share * share_, least_slice, longest_slice)),
      histories_(weights_.size(), {0, prior_slices, prior_gain * prior_slices}) {}

void Schedule::told(std::size_t kernel, double seconds, double gain) {
  History& history = histories_[kernel];
  const double slices = std::max(seconds, 0.0) / usual_;
  history.served += slices;
  history.slices = forgets * history.slices + slices;
  history.gain = forgets * history.gain + gain;
}

double Schedule::promise(std::size_t kernel, const Slice::State& state) const {
  const History& own = histories_[kernel];
  double all = 0;
  for (const History& history : histories_) all += history.served;
  const double mean = own.gain / own.slices;
  const double luck = luck_scale * std::sqrt(2 * std::log(1 + all) / (own.served + 1));
  const double limit = state.share_of_limit > 0 ? std::max(-std::log(state.share_of_limit), 0.0)
                                                : std::numeric_limits<double>::infinity();
  return weights_[kernel] / std::max(state.best, 1.0) * std::min(mean + luck, limit);
}

// Seconds that may go into searches yet.
double Schedule::spare(double seconds_left, const std::vector<Standing>& standings) const {
  double reserved = 0;
  for (const Standing& one : standings)
    if (needs_finals(one)) reserved += one.state.reserve;
  return seconds_left - reserved / lanes_;
}

std::optional<Step> Schedule::next(double seconds_left, const std::vector<Standing>& standings) const {
  const double spare = this->spare(seconds_left, standings);
  for (std::size_t i = 0; i < standings.size(); ++i)
    if (standings[i].state.stage == Stage::ended && !standings[i].served)
      return Step{Step::Kind::finals, i, seconds_of_finals(standings[i].state.reserve, spare, seconds_left)};
  if (const auto first = first_slice(spare, standings)) return first;
  if (spare < least_slice) return end_one(standings);
  std::optional<Step> step;
  double most = 0;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    if (!is_idle(standings[i])) continue;
    const double promise = this->promise(i, standings[i].state);
    if (step && promise <= most) continue;
    most = promise;
    step = Step{Step::Kind::slice, i, std::min(usual_, spare)};
  }
  return step;
}

// Those that weigh most come first; as they are given where they weigh the same.
std::optional<Step> Schedule::first_slice(double spare, const std::vector<Standing>& standings) const {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    const Standing& one = standings[i];
    if (one.begun || one.expired || one.state.stage == Stage::closed) continue;
    if (!first || weights_[i] > weights_[*first]) first = i;
  }
  const double seconds = std::max(first_share * share_, least_first);
  if (!first || spare < least_first) return std::nullopt;
  return Step{Step::Kind::slice, *first, std::min(seconds, spare)};
}

// The time for searches is over. Whoever has found something is measured, one after another, the least promising first;
// when nobody of these is left, the others end.
std::optional<Step> Schedule::end_one(const std::vector<Standing>& standings) const {
  const auto closing = std::ranges::count_if(
      standings, [](const Standing& one) { return one.expired && one.state.stage != Stage::closed; });
  if (closing >= static_cast<std::ptrdiff_t>(lanes_)) return std::nullopt;  // it may leave some time over
  std::optional<std::size_t> least;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    const Standing& one = standings[i];
    if (!is_idle(one) || !needs_finals(one)) continue;
    if (!least || promise(i, one.state) < promise(*least, standings[*least].state)) least = i;
  }
  if (least) return Step{Step::Kind::end_search, *least, 0};
  if (std::ranges::any_of(standings, &Standing::served)) return std::nullopt;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    const Standing& one = standings[i];
    if (one.expired || one.served || one.state.stage == Stage::closed || one.state.stage == Stage::ended) continue;
    const bool searches = one.begun && one.state.stage == Stage::searching;
    return Step{searches ? Step::Kind::end_search : Step::Kind::give_up, i, 0};
  }
  return std::nullopt;
}

}  // namespace hone::tune
