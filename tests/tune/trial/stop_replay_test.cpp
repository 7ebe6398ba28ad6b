// The stop rule on searches that went on to their end: what it would have saved, and what it would have cost. The
// figures are in docs/BENCHMARKS.md; --gtest_output=json writes them.
//
// Of a language model: the recordings of examples/recordings, in tokens. What had been asked when the rule fired is
// paid, and told: it may show that the search goes on. Of the built-in proposer: builtin_runs.json, in seconds of
// judging.
#include <cmath>
#include <deque>
#include <filesystem>
#include <map>
#include <variant>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tool/os/files/files.h"
#include "tool/tune/model/recording.h"
#include "tool/tune/trial/stop_rule.h"

namespace hone::tune::replayed_stops {
namespace {

struct Question {
  unsigned request = 0;
  double cost = 0;
};
struct Told {
  unsigned request = 0;
  Verdict verdict;
};
using Step = std::variant<Question, Told>;

struct Search {
  std::string name;
  std::vector<LeastTime> least;
  std::vector<Step> steps;
};

double tokens(const llm::Usage& usage) {
  return static_cast<double>(usage.input_tokens + usage.output_tokens);
}

std::vector<Step> steps_of(const Recording& recording) {
  std::map<unsigned, double> cost;
  for (const Event& event : recording.events) {
    if (const auto* reply = std::get_if<Replied>(&event)) cost[reply->request] += tokens(reply->usage);
    if (const auto* failed = std::get_if<CallFailed>(&event)) cost[failed->request] += tokens(failed->usage);
  }
  std::vector<Step> steps;
  for (const Event& event : recording.events) {
    if (const auto* asked = std::get_if<Asked>(&event)) steps.push_back(Question{asked->request, cost[asked->request]});
    if (const auto* told = std::get_if<ToldTrial>(&event); told && !told->duplicate_of)
      steps.push_back(Told{told->request, told->verdict});
  }
  return steps;
}

std::vector<Search> recorded() {
  std::vector<Search> runs;
  for (const auto& file : std::filesystem::recursive_directory_iterator(RECORDINGS)) {
    if (!file.path().native().ends_with(".calls.jsonl")) continue;
    const Recording recording = Recording::read(file.path()).value();
    Search run{file.path().stem().stem(), {}, steps_of(recording)};
    for (const auto& problem : recording.header.facts.problems)
      run.least.push_back({problem.label, problem.floor_seconds});
    runs.push_back(std::move(run));
  }
  return runs;
}

// {"kernel": …, "trials": [[times as fast as the original or 0, seconds of its judgment], …]}
std::vector<Search> builtin() {
  std::vector<Search> runs;
  for (const auto& entry : nlohmann::json::parse(os::read_file(BUILTIN_RUNS).value())) {
    Search run{entry["kernel"], {}, {}};
    for (const auto& [speedup, seconds] : entry["trials"].get<std::vector<std::pair<double, double>>>()) {
      Verdict verdict;
      verdict.right = verdict.faster = speedup > 1;
      verdict.measurement.speedup = {speedup, speedup, speedup};
      const auto request = static_cast<unsigned>(run.steps.size());
      run.steps.insert(run.steps.end(), {Question{request, seconds}, Told{request, verdict}});
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

double speedup_of(const Verdict& verdict) {
  return verdict.right && verdict.faster ? verdict.measurement.speedup.median : 1;
}

struct Played {
  double spent = 0, whole = 0;  // with the rule, and without
  double best = 1, found = 1;
};

Played play(const Search& search, const StopLimits& limits) {
  Played played;
  StopRule rule(limits, search.least);
  std::deque<Question> put_off;  // would have been asked, had the rule not held
  bool over = false;
  const auto ask = [&] {
    for (; !over && !rule.reason() && !put_off.empty(); put_off.pop_front()) played.spent += put_off.front().cost;
  };
  for (const Step& step : search.steps) {
    if (const auto* question = std::get_if<Question>(&step)) {
      played.whole += question->cost;
      put_off.push_back(*question);
      ask();
      continue;
    }
    const Told& told = std::get<Told>(step);
    played.found = std::max(played.found, speedup_of(told.verdict));
    over |= std::ranges::find(put_off, told.request, &Question::request) != put_off.end();
    if (over) continue;
    played.best = std::max(played.best, speedup_of(told.verdict));
    rule.told(told.verdict);
    ask();
  }
  return played;
}

// In percent: of what was spent and of the gain (the logarithm of the speedup) over all runs, and the speedup that is
// left in the run that loses most.
struct Figures {
  double saved = 0, kept = 0, worst = 100;
  std::string text() const { return fmt::format("saved {:.0f}, kept {:.1f}, worst {:.0f}", saved, kept, worst); }
};

Figures measure(const std::vector<Search>& runs, const StopLimits& limits) {
  Figures figures;
  double spent = 0, whole = 0, gain = 0, all = 0;
  for (const Search& run : runs) {
    const Played played = play(run, limits);
    spent += played.spent, whole += played.whole;
    gain += std::log(played.best), all += std::log(played.found);
    figures.worst = std::min(figures.worst, 100 * played.best / played.found);
  }
  figures.saved = 100 * (1 - spent / whole);
  figures.kept = 100 * gain / all;
  return figures;
}

Figures record(const char* name, const std::vector<Search>& runs, const StopLimits& limits) {
  const Figures figures = measure(runs, limits);
  testing::Test::RecordProperty(name, figures.text());
  return figures;
}

TEST(StopReplay, RecordingsOfModels) {
  const std::vector<Search> runs = recorded();
  ASSERT_GE(runs.size(), 30u);
  EXPECT_EQ(record("no_rule", runs, {}).saved, 0);
  for (const double gain : {0.01, 0.015, 0.02, 0.025, 0.03})
    record(fmt::format("least_gain_{}", gain).c_str(), runs, {.least_gain = gain});
  for (const double share : {0.8, 0.9, 0.95, 1.0, 1.05})
    record(fmt::format("until_{}", share).c_str(), runs, {.until = share});
  const Figures both = record("until_0.95_least_gain_0.025", runs, {.until = 0.95, .least_gain = 0.025});
  EXPECT_GT(both.saved, 30);
  EXPECT_GT(both.kept, 97);
  EXPECT_LT(both.worst, 97) << "a rule that costs no search much could be on by itself";
}

TEST(StopReplay, RunsOfTheBuiltinProposer) {
  const std::vector<Search> runs = builtin();
  ASSERT_GE(runs.size(), 8u);
  for (const double gain : {0.01, 0.015, 0.02, 0.025, 0.03})
    record(fmt::format("least_gain_{}", gain).c_str(), runs, {.least_gain = gain});
}

// The figure that the rule begins with is that of the recordings.
TEST(StopReplay, ATrialIsExpectedToGainWhatRecordedOnesDid) {
  double gained = 0, trials = 0;
  for (const Search& run : recorded()) {
    double best = 0;
    for (const Step& step : run.steps) {
      const auto* told = std::get_if<Told>(&step);
      if (!told) continue;
      if (best > 0) gained += std::log(std::max(speedup_of(told->verdict) / best, 1.0)), ++trials;
      best = std::max(best, speedup_of(told->verdict));
    }
  }
  EXPECT_NEAR(StopRule().expected_gain(), gained / trials, 0.005);
}

}  // namespace
}  // namespace hone::tune::replayed_stops
