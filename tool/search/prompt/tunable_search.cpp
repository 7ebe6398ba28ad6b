#include <algorithm>
#include <cassert>
#include <cmath>

#include "tool/search/prompt/tunable_model.h"
#include "tool/search/prompt/tunables.h"

namespace hone::search {
namespace {

constexpr std::size_t most_weighed = 512;  // choices that the model is asked about; of larger spaces it is a sample
constexpr std::size_t most_finalists = 3;
constexpr double share_worth_asking = 0.03;  // of the least gain: nobody measures for an expectation below that

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

// For a fitness that failed: worse than the worst that worked, by as much as that is worse than the best.
double logarithm_of_failure(double least, double most) {
  return 2 * least - most - 0.1;
}

}  // namespace

TunableSearch::TunableSearch(std::vector<Tunable> tunables, Options options)
    : tunables_(std::move(tunables)),
      options_(options),
      told_(std::max(1u, options.rungs)),
      model_(std::make_unique<TunableModel>(tunables_)),
      random_(space_size(tunables_)) {
  best_ = default_choice(tunables_);
  exhaustive_ = space_size(tunables_) <= options_.exhaustive;
  put(best_);
  if (!exhaustive_) return;
  for (TunableChoice choice = best_; advance(choice, tunables_);) put(choice);
}

TunableSearch::~TunableSearch() = default;

std::optional<TunableTrial> TunableSearch::ask() {
  if (waiting_.empty() && !finished_) refill();
  if (waiting_.empty()) return {};
  const TunableTrial next = waiting_.front();
  waiting_.pop_front();
  open_.push_back(next.choice);
  return next;
}

void TunableSearch::tell(const TunableTrial& trial, double fitness, bool decided) {
  const auto open = std::ranges::find(open_, trial.choice);
  assert(open != open_.end() && trial.rung < told_.size());
  open_.erase(open);
  told_[trial.rung].emplace(trial.choice, Told{fitness, decided});
  look_at(trial, fitness);
  if (waiting_.empty() && open_.empty()) refill();
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
  } else if (exhaustive_ || spread_out_) {
    ++without_gain_;
  }
  const bool nothing_works = best_fitness_ <= 0 && told_[0].size() >= options_.failures;
  if (!nothing_works && without_gain_ < options_.patience) return;
  waiting_.clear();
  searched_ = true;
}

void TunableSearch::put(const TunableChoice& choice) {
  if (asked_.size() >= options_.budget || !asked_.insert(choice).second) return;
  waiting_.push_back({choice, 0});
}

void TunableSearch::refill() {
  if (!searched_ && !exhaustive_ && !told_[0].empty()) {
    if (!spread_out_) {
      spread();
    } else {
      ask_model();
    }
  }
  if (!waiting_.empty() || !open_.empty()) return;
  searched_ = true;
  if (!finished_) climb();
}

// Twice as many as there are numbers, of which each takes all of its values about equally often.
void TunableSearch::spread() {
  const std::size_t count = std::min(2 * tunables_.size() + 1, options_.budget / 3 + 1);
  std::vector<TunableChoice> choices(count, default_choice(tunables_));
  for (std::size_t i = 0; i < tunables_.size(); ++i) {
    std::vector<std::size_t> order(count);
    for (std::size_t at = 0; at < count; ++at) order[at] = at;
    for (std::size_t at = count; at > 1; --at) std::swap(order[at - 1], order[random_.below(at)]);
    const std::size_t values = tunables_[i].values.size(), first = random_.below(values);
    for (std::size_t at = 0; at < count; ++at) choices[order[at]][i] = (first + at) % values;
  }
  for (const TunableChoice& choice : choices) put(choice);
  spread_out_ = true;
}

// What is open is taken to be worth what the model expects of it, so that several look at different places.
void TunableSearch::ask_model() {
  if (asked_.size() >= options_.budget) return;
  double least = 0, most = 0;
  TunableModel::Measured measured;
  for (const auto& [choice, told] : told_[0]) {
    if (told.fitness <= 0) continue;
    const double value = std::log(told.fitness);
    least = measured.empty() ? value : std::min(least, value);
    most = measured.empty() ? value : std::max(most, value);
    measured.emplace_back(choice, value);
  }
  if (measured.empty() && !open_.empty()) return;
  for (const auto& [choice, told] : told_[0])
    if (told.fitness <= 0) measured.emplace_back(choice, logarithm_of_failure(least, most));
  model_->learn(measured);
  if (!open_.empty()) {
    for (const TunableChoice& choice : open_) measured.emplace_back(choice, model_->at(choice).mean);
    model_->learn(measured);
  }
  const TunableChoice* chosen = nullptr;
  double gain = 0;
  const std::vector<TunableChoice> all = promising();
  for (const TunableChoice& choice : all) {
    const double expected = model_->expected_gain(choice, most);
    if (!chosen || expected > gain) chosen = &choice, gain = expected;
  }
  if (chosen && gain >= share_worth_asking * std::log(options_.gain)) put(*chosen);
}

// All that is not asked for yet; of a large space what is one number from the best, and a sample.
std::vector<TunableChoice> TunableSearch::promising() const {
  std::set<TunableChoice> found;
  const auto take = [&](const TunableChoice& choice) {
    if (!asked_.contains(choice)) found.insert(choice);
  };
  if (space_size(tunables_) <= most_weighed) {
    TunableChoice choice = default_choice(tunables_);
    do take(choice);
    while (advance(choice, tunables_));
    return {found.begin(), found.end()};
  }
  for (std::size_t i = 0; i < tunables_.size(); ++i)
    for (TunableChoice near = best_; near[i] < tunables_[i].values.size(); ++near[i]) take(near);
  for (std::size_t i = 0; i < tunables_.size(); ++i)
    for (TunableChoice near = best_; near[i] > 0;) --near[i], take(near);
  Random random(asked_.size());
  for (std::size_t drawn = 0; drawn < most_weighed; ++drawn) {
    TunableChoice choice;
    for (const Tunable& tunable : tunables_) choice.push_back(random.below(tunable.values.size()));
    take(choice);
  }
  return {found.begin(), found.end()};
}

// Where the highest rung that was told left the best undecided, that goes one up, beside what may be better: of the
// best third what is undecided too. All else is decided, and a longer look would cost and say nothing.
void TunableSearch::climb() {
  finished_ = true;
  std::size_t rung = 0;
  while (rung + 1 < told_.size() && !told_[rung + 1].empty()) ++rung;
  if (rung + 1 >= told_.size()) return;
  std::vector<std::pair<TunableChoice, Told>> ranked(told_[rung].begin(), told_[rung].end());
  std::erase_if(ranked, [](const auto& entry) { return entry.second.fitness <= 0; });
  std::ranges::stable_sort(ranked, std::ranges::greater(), [](const auto& entry) { return entry.second.fitness; });
  const auto best = told_[rung].find(best_);
  if (ranked.empty() || best == told_[rung].end() || best->second.decided) return;
  ranked.resize(std::min(ranked.size(), std::clamp<std::size_t>((ranked.size() + 2) / 3, 2, most_finalists)));
  for (const auto& [choice, told] : ranked)
    if (!told.decided) waiting_.push_back({choice, static_cast<unsigned>(rung + 1)});
  finished_ = waiting_.empty();
}

}  // namespace hone::search
