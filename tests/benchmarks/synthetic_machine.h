// Machines that time two programs, made up: what the judge's clocks go through, each trouble alone and strongly.
//
// A Machine gives the samples of one problem in the order in which the timer takes them: pairs, order drawn at random,
// 200 us a side unless it says otherwise, so that a look after s seconds sees 2500 s pairs. `ratio` is
// candidate/original in truth. Pure.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "tool/base/random.h"
#include "tool/statistics/statistics.h"

namespace hone::benchmarks {

struct Trouble {
  std::string name;
  double noise = 0.01;     // of a sample, relative
  double tails = 0;        // share of samples that take up to 3x (an interrupt, a page fault)
  double bursts = 0;       // share of time in bursts of 50 samples, 1.5x slower
  double drift = 0;        // amplitude of a slow wave that both sides ride
  double correlation = 0;  // of the noise from sample to sample
  double modes = 0;        // the other mode is so much slower, half of the time, per sample
  double stay_bias = 0;    // of each side, drawn anew every `stay` pairs (outputs get other pages)
  unsigned stay = 25;
  double quantum = 0;             // of the clock, seconds
  double candidate_noise = 1;     // times the original's
  double candidate_outliers = 0;  // share, on that side alone, 2x
  double reference_outliers = 0;
  double side = 2e-4;  // seconds that a sample takes
};

inline const std::vector<Trouble>& troubles() {
  static const std::vector<Trouble> list{
      {.name = "quiet"},
      {.name = "slow drift", .noise = 0.02, .drift = 0.2},
      {.name = "bursts", .noise = 0.02, .bursts = 0.2},
      {.name = "bimodal", .noise = 0.01, .modes = 0.15},
      {.name = "quantized clock", .noise = 0.02, .quantum = 1e-5},
      {.name = "autocorrelated", .noise = 0.03, .correlation = 0.95},
      {.name = "page placement", .noise = 0.01, .stay_bias = 0.03},
      {.name = "faint page placement", .noise = 0.01, .stay_bias = 0.004},
      {.name = "long stays", .noise = 0.01, .stay_bias = 0.01, .stay = 100},
      {.name = "heavy tails", .noise = 0.03, .tails = 0.1},
      {.name = "unequal variance", .noise = 0.02, .candidate_noise = 3},
      {.name = "outliers on the candidate", .noise = 0.02, .candidate_outliers = 0.2},
      {.name = "outliers on the original", .noise = 0.02, .reference_outliers = 0.2},
      {.name = "slow kernel", .noise = 0.02, .tails = 0.05, .stay_bias = 0.02, .stay = 1, .side = 0.01},
      {.name = "all at once",
       .noise = 0.03,
       .tails = 0.05,
       .bursts = 0.1,
       .drift = 0.1,
       .correlation = 0.7,
       .stay_bias = 0.03},
  };
  return list;
}

class Machine {
 public:
  Machine(const Trouble& trouble, double ratio, std::uint64_t seed) : t_(trouble), ratio_(ratio), random_(seed) {
    phase_ = random_.uniform() * 2 * std::numbers::pi;
    pair_ = static_cast<unsigned>(random_.below(t_.stay));
    move();
  }

  // The next pairs are added.
  void measure(statistics::PairedSamples& samples, std::size_t pairs) {
    if (samples.draws == 0) samples.draws = 1;
    while (samples.reference.size() < pairs) {
      if (++pair_ % t_.stay == 0) move(), ++samples.draws;
      const bool candidate_first = random_.bits() & 1;
      double seconds[2];
      for (const int side : {candidate_first ? 1 : 0, candidate_first ? 0 : 1}) seconds[side] = one(side);
      samples.reference.push_back(seconds[0]);
      samples.candidate.push_back(seconds[1]);
    }
  }

 private:
  void move() {
    for (double& bias : bias_) bias = t_.stay_bias * random_.normal();
  }

  double one(int side) {
    constexpr double period = 2.0;  // seconds
    if (burst_ == 0 && random_.uniform() < t_.bursts / 50) burst_ = 50;
    carried_ = t_.correlation * carried_ + std::sqrt(1 - t_.correlation * t_.correlation) * random_.normal();
    double value = t_.side * (side == 1 ? ratio_ : 1);
    value *= std::exp(t_.noise * carried_ * (side == 1 ? t_.candidate_noise : 1) + bias_[side]);
    if (t_.drift > 0) value *= 1 + t_.drift * std::sin(phase_ + 2 * std::numbers::pi * clock_ / period);
    if (burst_ > 0) --burst_, value *= 1.5;
    if (t_.modes > 0 && random_.bits() & 1) value *= 1 + t_.modes;
    if (random_.uniform() < t_.tails) value *= 1 + 2 * random_.uniform();
    if (random_.uniform() < (side == 1 ? t_.candidate_outliers : t_.reference_outliers)) value *= 2;
    clock_ += value;
    return t_.quantum > 0 ? std::round(value / t_.quantum) * t_.quantum : value;
  }

  Trouble t_;
  double ratio_;
  Random random_;
  double phase_ = 0, clock_ = 0, carried_ = 0, bias_[2] = {0, 0};
  unsigned burst_ = 0, pair_ = 0;
};

struct Judged {
  statistics::Estimate estimate;
  double seconds = 0;  // of measuring, until it was decided
  bool faster() const { return estimate.decision == statistics::Decision::faster; }
};

// One evaluation, look by look, of a kernel with `problems` problems of equal weight.
inline Judged judge(const Trouble& trouble, double ratio, const statistics::AcceptanceRule& rule, std::uint64_t seed,
                    unsigned problems = 1) {
  std::vector<Machine> machines;
  std::vector<statistics::PairedSamples> samples(problems);
  for (unsigned p = 0; p < problems; ++p) machines.emplace_back(trouble, ratio, hone::derive(seed, p));
  Judged result;
  for (unsigned look = 0; look < rule.looks.size(); ++look) {
    const auto pairs = static_cast<std::size_t>(std::llround(rule.looks[look] / (2 * trouble.side * problems)));
    for (unsigned p = 0; p < problems; ++p) machines[p].measure(samples[p], pairs);
    result = {statistics::estimate(samples, rule, look), rule.looks[look]};
    if (result.estimate.decision != statistics::Decision::undecided) break;
  }
  return result;
}

}  // namespace hone::benchmarks
