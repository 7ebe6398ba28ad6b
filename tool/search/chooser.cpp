#include "tool/search/chooser.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace hone::search {
namespace {

class Weighted final : public Chooser {
 public:
  explicit Weighted(std::vector<double> weights) : weights_(std::move(weights)) {}

  std::size_t choose(const std::vector<bool>& eligible, Random& random) override {
    std::vector<double> weights = weights_;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (!eligible[i]) weights[i] = 0;
    return random.weighted(weights);
  }
  void learn(std::size_t, double, double) override {}
  void forget(std::size_t) override {}

 private:
  std::vector<double> weights_;
};

class Cycle final : public Chooser {
 public:
  explicit Cycle(std::vector<double> weights) : weights_(std::move(weights)) {}

  std::size_t choose(const std::vector<bool>& eligible, Random&) override {
    while (!eligible[at_] || done_ >= std::max(1.0, weights_[at_])) step();
    ++done_;
    return at_;
  }
  void learn(std::size_t, double, double) override {}
  void forget(std::size_t) override {}

 private:
  void step() {
    at_ = (at_ + 1) % weights_.size();
    done_ = 0;
  }

  std::vector<double> weights_;
  std::size_t at_ = 0;
  double done_ = 0;
};

class Bandit final : public Chooser {
 public:
  Bandit(std::vector<double> weights, double exploration) : exploration_(exploration) {
    for (const double weight : weights) arms_.push_back({weight});
  }

  std::size_t choose(const std::vector<bool>& eligible, Random&) override {
    std::size_t best = arms_.size();
    for (std::size_t i = 0; i < arms_.size(); ++i)
      if (eligible[i] && (best == arms_.size() || index_of(arms_[i]) > index_of(arms_[best]))) best = i;
    assert(best < arms_.size() && "one must be eligible");
    arms_[best].open += 1;
    return best;
  }

  void learn(std::size_t choice, double reward, double cost) override {
    arms_[choice].open -= 1;
    for (Arm& arm : arms_) {
      arm.pulls *= discount;
      arm.reward *= discount;
      arm.cost *= discount;
    }
    arms_[choice].pulls += 1;
    arms_[choice].reward += reward;
    arms_[choice].cost += cost;
  }

  void forget(std::size_t choice) override { arms_[choice].open -= 1; }

 private:
  static constexpr double discount = 0.98;     // a reward counts half after 34 more
  static constexpr double prior_reward = 0.2;  // what an arm of weight 1 is taken to bring, with the force of one pull

  struct Arm {
    double weight = 1;
    double pulls = 0;
    double reward = 0;
    double cost = 0;
    double open = 0;  // chosen, outcome to come: counts as a pull that brought the average
  };

  double index_of(const Arm& arm) const {
    double pulls = 0, cost = 0;
    for (const Arm& other : arms_) {
      pulls += other.pulls + other.open;
      cost += other.cost;
    }
    double settled = 0;
    for (const Arm& other : arms_) settled += other.pulls;
    const double usual = settled > 0 && cost > 0 ? cost / settled : 1;
    const double own = (arm.cost + usual) / (arm.pulls + 1);
    const double mean = (arm.reward + prior_reward * arm.weight) / (arm.pulls + 1);
    const double tried = arm.pulls + arm.open + 1;
    // A cheap arm may be worth more than it brings at a time, but not without bound: costs differ by chance too.
    const double thrift = std::clamp(usual / own, 0.25, 4.0);
    return mean * thrift + exploration_ * std::sqrt(std::log(pulls + 2) / tried) * 0.5;
  }

  double exploration_;
  std::vector<Arm> arms_;
};

}  // namespace

std::unique_ptr<Chooser> make_chooser(Schedule schedule, std::vector<double> weights, double exploration) {
  switch (schedule) {
    case Schedule::weighted:
      return std::make_unique<Weighted>(std::move(weights));
    case Schedule::cycle:
      return std::make_unique<Cycle>(std::move(weights));
    case Schedule::bandit:
      return std::make_unique<Bandit>(std::move(weights), exploration);
  }
  assert(false && "a schedule without a class");
  return nullptr;
}

}  // namespace hone::search
