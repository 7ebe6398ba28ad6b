// Who gets the next slice, on gains that are written down here.
#include "tool/tune/budget/schedule.h"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hone::tune {
namespace {

using testing::ElementsAre;
using Kind = Step::Kind;
using Stage = Slice::Stage;

// Searches whose gains are scripts: what each has after so many seconds of its own.
class Bench {
 public:
  struct Search {
    std::function<double(double seconds)> best;
    double reserve = 8;
    double finals = 3;        // what its own measurement takes in truth
    double ends_after = 1e9;  // it has nothing left to propose
    double share_of_limit = 0;
    double first_trial = 2;  // ends after so many seconds
  };

  explicit Bench(double seconds, std::vector<Search> searches, std::vector<double> weights = {}, unsigned lanes = 1)
      : searches_(std::move(searches)),
        left_(seconds),
        schedule_(seconds, weights.empty() ? std::vector<double>(searches_.size(), 1.0) : weights, lanes),
        standings_(searches_.size()),
        seconds_(searches_.size()) {
    for (std::size_t i = 0; i < searches_.size(); ++i) standings_[i].state.reserve = searches_[i].reserve;
  }

  // One step, and what comes of it. False: there is none.
  bool step() {
    const auto step = schedule_.next(left_, standings_);
    if (!step) return false;
    steps.push_back(*step);
    Standing& one = standings_[step->kernel];
    switch (step->kind) {
      case Kind::slice:
        serve(*step, one);
        break;
      case Kind::finals:
        one.expired = true;
        left_ -= std::min(step->seconds, searches_[step->kernel].finals);
        one.state.stage = Stage::closed;
        break;
      case Kind::end_search:
        one.expired = true;
        end(one);
        break;
      case Kind::give_up:
        one.expired = true;
        one.state.stage = Stage::closed;
        break;
    }
    return true;
  }
  void run() {
    for (int most = 1000; most > 0 && step(); --most) continue;
  }

  std::vector<std::size_t> slices() const {
    std::vector<std::size_t> kernels;
    for (const Step& step : steps)
      if (step.kind == Kind::slice) kernels.push_back(step.kernel);
    return kernels;
  }
  double seconds_of(std::size_t kernel) const { return seconds_[kernel]; }
  double best_of(std::size_t kernel) const { return standings_[kernel].state.best; }
  double left() const { return left_; }
  bool all_closed() const {
    return std::ranges::all_of(standings_, [](const Standing& one) { return one.state.stage == Stage::closed; });
  }
  std::vector<Standing>& standings() { return standings_; }
  const Schedule& schedule() const { return schedule_; }

  std::vector<Step> steps;

 private:
  static void end(Standing& one) { one.state.stage = one.state.best > 1 ? Stage::ended : Stage::closed; }

  void serve(const Step& step, Standing& one) {
    const Search& search = searches_[step.kernel];
    one.begun = true;
    const double seconds = std::min(step.seconds, search.ends_after - seconds_[step.kernel]);
    seconds_[step.kernel] += seconds;
    left_ -= seconds;
    const double best = std::max(search.best(seconds_[step.kernel]), 1.0);
    // The gain of the first trial counts for none.
    const double before = std::max({one.state.best, search.best(search.first_trial), 1.0});
    const double counted = std::max(std::log(best / before), 0.0);
    one.state.gained += counted;
    schedule_.told(step.kernel, seconds, counted);
    one.state.best = best;
    one.state.share_of_limit = search.share_of_limit;
    one.state.stage = Stage::searching;
    if (seconds_[step.kernel] >= search.ends_after) end(one);
  }

  const std::vector<Search> searches_;
  double left_;
  Schedule schedule_;
  std::vector<Standing> standings_;
  std::vector<double> seconds_;
};

double nothing(double) {
  return 1;
}
double at_once(double) {
  return 2;
}
// Gains for as long as it is served.
double steadily(double seconds) {
  return std::pow(1.02, seconds);
}

TEST(Schedule, ServesEachKernelFirst) {
  Bench bench(120, {{nothing}, {at_once}, {steadily}});
  for (int i = 0; i < 3; ++i) bench.step();
  EXPECT_THAT(bench.slices(), ElementsAre(0, 1, 2));
  for (const Step& step : bench.steps) EXPECT_EQ(step.seconds, 10) << "a quarter of an even share";
}

TEST(Schedule, ServesKernelThatGainsMoreThanThoseThatDoNot) {
  Bench bench(300, {{nothing}, {steadily}, {at_once}});
  bench.run();
  EXPECT_GT(bench.seconds_of(1), 1.5 * bench.seconds_of(0));
  EXPECT_GT(bench.seconds_of(1), 1.5 * bench.seconds_of(2));
  EXPECT_TRUE(bench.all_closed());
}

TEST(Schedule, GainsMoreThanServingInTurn) {
  const auto late = [](double seconds) {
    return seconds < 30 ? 1.1 : std::min(1.1 * std::pow(1.03, seconds - 30), 6.0);
  };
  Bench bench(180, {{at_once}, {late}, {at_once}});
  bench.run();
  const double in_turn = late(60 - 8);
  EXPECT_GT(bench.best_of(1), 1.2 * in_turn);
  EXPECT_EQ(bench.best_of(0), 2);
}

TEST(Schedule, StarvesNoKernelThatGainedNothingYet) {
  Bench bench(600, {{nothing}, {steadily}});
  bench.run();
  EXPECT_GT(bench.seconds_of(0), 600 / 2 * 0.25 + 30) << "more than its first slice";
}

TEST(Schedule, ServesKernelThatTakesMostOfTheRunMore) {
  Bench bench(300, {{steadily}, {steadily}}, {0.2, 0.8});
  bench.run();
  EXPECT_EQ(bench.steps.front().kernel, 1u) << "it comes first, too";
  EXPECT_GT(bench.seconds_of(1), 1.3 * bench.seconds_of(0));
}

TEST(Schedule, ExpectsNothingOfKernelAtItsLimit) {
  Bench bench(300, {{.best = at_once, .share_of_limit = 1.0}, {.best = at_once}});
  bench.run();
  EXPECT_EQ(bench.schedule().promise(0, bench.standings()[0].state), 0);
  EXPECT_GT(bench.seconds_of(1), 2 * bench.seconds_of(0));
}

TEST(Schedule, KeepsTimeForFinals) {
  Bench bench(100, {{at_once}, {at_once}, {nothing}});
  bench.run();
  for (const Step& step : bench.steps) {
    EXPECT_TRUE(step.kind != Kind::finals || step.seconds >= 8) << step.seconds;
  }
  EXPECT_TRUE(bench.all_closed());
  EXPECT_GE(bench.left(), 0);
}

TEST(Schedule, SearchesOnWithWhatFinalsLeaveOver) {
  Bench bench(100, {{.best = at_once, .reserve = 15, .finals = 2}, {.best = steadily, .reserve = 15, .finals = 2}});
  bench.run();
  bool measured = false, searched_after = false;
  for (const Step& step : bench.steps) {
    searched_after |= measured && step.kind == Kind::slice;
    measured |= step.kind == Kind::finals;
  }
  EXPECT_TRUE(searched_after);
  EXPECT_EQ(bench.steps.back().kind, Kind::finals);
}

TEST(Schedule, LetsTheFirstWinnerBeMeasuredThoughTimeIsTooShortForAll) {
  Bench bench(15, {{at_once}, {at_once}, {at_once}});
  for (Standing& one : bench.standings()) {
    one.begun = true;
    one.state.best = 2;
    one.state.stage = Stage::ended;
  }
  bench.run();
  ASSERT_EQ(bench.steps.size(), 3u);
  EXPECT_EQ(bench.steps[0].seconds, 8);
  EXPECT_EQ(bench.steps[1].seconds, 8);
  EXPECT_EQ(bench.steps[2].seconds, 9) << "the others took 3 s each";
}

TEST(Schedule, EndsOneSearchAtATime) {
  Bench bench(60, {{at_once}, {at_once}, {at_once}});
  unsigned ended = 0;
  while (bench.step()) {
    if (bench.steps.back().kind == Kind::end_search) ++ended;
    if (bench.steps.back().kind == Kind::finals) --ended;
    EXPECT_LE(ended, 1u);
  }
  EXPECT_TRUE(bench.all_closed());
}

TEST(Schedule, MeasuresSearchThatEndedByItselfAtOnce) {
  Bench bench(200, {{.best = at_once, .ends_after = 5}, {.best = steadily}});
  bench.step();
  bench.step();
  EXPECT_EQ(bench.steps[1].kind, Kind::finals);
  EXPECT_EQ(bench.steps[1].kernel, 0u);
}

TEST(Schedule, GivesUpWhatItHasNoTimeToBegin) {
  Bench bench(12, {{nothing}, {nothing}, {nothing}, {nothing}, {nothing}, {nothing}});
  bench.run();
  EXPECT_TRUE(bench.all_closed());
  const auto given_up = std::ranges::count(bench.steps, Kind::give_up, &Step::kind);
  EXPECT_GE(given_up, 3);
  EXPECT_GE(bench.left(), 0);
}

TEST(Schedule, WaitsWhileAllAreServed) {
  Bench bench(100, {{nothing}});
  bench.standings()[0].begun = bench.standings()[0].served = true;
  bench.standings()[0].state.stage = Stage::searching;
  EXPECT_FALSE(bench.step());
}

TEST(Schedule, TakesTheSameStepsForTheSameGains) {
  const auto steps = [] {
    Bench bench(300, {{steadily}, {at_once}, {nothing}});
    bench.run();
    std::vector<std::pair<int, std::size_t>> taken;
    for (const Step& step : bench.steps) taken.emplace_back(static_cast<int>(step.kind), step.kernel);
    return taken;
  };
  EXPECT_EQ(steps(), steps());
}

// ---- on recorded searches

constexpr double opening = 3, kept = 8;  // seconds

// What a recorded search had found after so many seconds, of which the first are spent before its first trial.
Bench::Search recorded(const nlohmann::json& run) {
  std::vector<std::pair<double, double>> found;  // when, and how fast
  double seconds = opening, best = 1;
  for (const auto& trial : run["trials"]) {
    seconds += trial[1].get<double>();
    best = std::max(best, trial[0].get<double>());
    found.emplace_back(seconds, best);
  }
  const double first = found.front().first;
  return {.best =
              [found = std::move(found)](double by) {
                double best = 1;
                for (const auto& [when, speedup] : found) best = when <= by ? speedup : best;
                return best;
              },
          .reserve = kept,
          .first_trial = first};
}

// What is left of the time of three kernels that took the same: three in turn, or within one budget.
struct Left {
  double in_turn = 0, together = 0;
  unsigned less = 0, more = 0;
};

Left of_all_triples(const std::vector<Bench::Search>& runs, double seconds) {
  Left all;
  unsigned triples = 0;
  for (std::size_t a = 0; a < runs.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (std::size_t c = 0; c < b; ++c) {
        Bench bench(3 * seconds, {runs[a], runs[b], runs[c]});
        bench.run();
        double in_turn = 0, together = 0;
        for (const std::size_t one : {a, b, c}) in_turn += 1 / runs[one].best(seconds - kept);
        for (std::size_t i = 0; i < 3; ++i) together += 1 / bench.best_of(i);
        all.in_turn += in_turn, all.together += together, ++triples;
        all.less += together<in_turn - 1e-9, all.more += together> in_turn + 1e-9;
      }
  all.in_turn /= triples, all.together /= triples;
  return all;
}

TEST(Schedule, LeavesLessTimeOfRecordedKernelsThanServingThemInTurn) {
  std::ifstream file(BUILTIN_RUNS);
  std::vector<Bench::Search> runs;
  for (const auto& run : nlohmann::json::parse(file)) runs.push_back(recorded(run));
  for (const double seconds : {20.0, 30.0, 40.0}) {
    const Left left = of_all_triples(runs, seconds);
    std::printf("%g s a kernel: %.3f in turn, %.3f together; less in %u triples, more in %u\n", seconds, left.in_turn,
                left.together, left.less, left.more);
    EXPECT_LT(left.together, left.in_turn) << seconds;
    EXPECT_GT(left.less, left.more) << seconds;
  }
}

TEST(Schedule, SplitsTimeOfSeveralLanes) {
  EXPECT_EQ(Schedule(60, {1, 1, 1}, 1).share(), 20);
  EXPECT_EQ(Schedule(60, {1, 1, 1}, 3).share(), 60);
}

}  // namespace
}  // namespace hone::tune
