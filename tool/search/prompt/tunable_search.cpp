#include <algorithm>
#include <cassert>

#include "tool/search/prompt/tunables.h"

namespace hone::search {
namespace {

// Saturates: only whether a space is small matters.
std::size_t space_size(const std::vector<Tunable>& tunables) {
  std::size_t size = 1;
  for (const Tunable& tunable : tunables) size = std::min<std::size_t>(size * tunable.values.size(), 1 << 20);
  return size;
}

bool advance(TunableChoice& choice, const std::vector<Tunable>& tunables) {
  for (std::size_t i = choice.size(); i-- > 0;) {
    if (++choice[i] < tunables[i].values.size()) return true;
    choice[i] = 0;
  }
  return false;
}

}  // namespace

TunableSearch::TunableSearch(std::vector<Tunable> tunables, Options options)
    : tunables_(std::move(tunables)), options_(options), told_(std::max(1u, options.rungs)) {
  best_ = default_choice(tunables_);
  exhaustive_ = space_size(tunables_) <= options_.exhaustive;
  put(best_);
  if (!exhaustive_) return;
  for (TunableChoice choice = best_; advance(choice, tunables_);) put(choice);
}

std::optional<TunableTrial> TunableSearch::ask() {
  if (waiting_.empty() && open_ == 0 && !finished_) wave();
  if (waiting_.empty()) return {};
  const TunableTrial next = waiting_.front();
  waiting_.pop_front();
  ++open_;
  return next;
}

void TunableSearch::tell(const TunableTrial& trial, double fitness) {
  assert(open_ > 0 && trial.rung < told_.size());
  --open_;
  told_[trial.rung].emplace(trial.choice, fitness);
  look_at(trial, fitness);
  if (waiting_.empty() && open_ == 0) wave();
}

void TunableSearch::look_at(const TunableTrial& trial, double fitness) {
  if (trial.rung > 0) {
    // Rungs measure differently well: figures are compared within one, and a higher one overrules.
    if (fitness <= 0 || trial.rung < best_rung_ || (trial.rung == best_rung_ && fitness <= best_fitness_)) return;
    best_ = trial.choice;
    best_fitness_ = fitness;
    best_rung_ = trial.rung;
    return;
  }
  if (fitness > 0 && fitness > best_fitness_ * options_.gain) {
    best_ = trial.choice;
    best_fitness_ = fitness;
    without_gain_ = 0;
    unmoved_ = 0;
  } else if (++without_gain_ >= options_.patience && (exhaustive_ || turns_ > tunables_.size())) {
    waiting_.clear();
    searched_ = true;
  }
}

void TunableSearch::put(const TunableChoice& choice) {
  if (asked_.size() >= options_.budget || !asked_.insert(choice).second) return;
  waiting_.push_back({choice, 0});
}

void TunableSearch::wave() {
  if (!searched_ && !exhaustive_ && coordinate_wave()) return;
  searched_ = true;
  if (!rung_wave()) finished_ = true;
}

// Asks for every value of the next coordinate around the best, until a whole round moved nothing.
bool TunableSearch::coordinate_wave() {
  while (unmoved_ < tunables_.size()) {
    TunableChoice choice = best_;
    const std::size_t at = coordinate_;
    for (choice[at] = 0; choice[at] < tunables_[at].values.size(); ++choice[at]) put(choice);
    coordinate_ = (coordinate_ + 1) % tunables_.size();
    ++turns_;
    ++unmoved_;
    if (!waiting_.empty()) return true;
  }
  return false;
}

// The best third of the highest rung that was told goes one up, while there is something to decide.
bool TunableSearch::rung_wave() {
  std::size_t rung = 0;
  while (rung + 1 < told_.size() && !told_[rung + 1].empty()) ++rung;
  if (rung + 1 >= told_.size()) return false;
  std::vector<std::pair<TunableChoice, double>> ranked(told_[rung].begin(), told_[rung].end());
  std::erase_if(ranked, [](const auto& entry) { return entry.second <= 0; });
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (ranked.size() < 2) return false;
  ranked.resize(std::max<std::size_t>(2, (ranked.size() + 2) / 3));
  for (const auto& [choice, fitness] : ranked) waiting_.push_back({choice, static_cast<unsigned>(rung + 1)});
  return true;
}

}  // namespace hone::search
