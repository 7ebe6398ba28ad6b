// Each preset at the default concurrency, with verdicts that come late: it must stay what it is called.
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/search/at_once.h"
#include "tool/search/presets.h"

namespace hone::search {
namespace {

using fake::AtOnce;
using fake::Late;

constexpr Late orders[] = {Late::in_order, Late::newest_first, Late::randomly};

// What docs/search.md says of a strategy, in figures.
struct Promise {
  const char* name;
  unsigned first;   // candidates that can know of no other yet
  double informed;  // share of those behind them that show what was tried
  unsigned alike;   // times that one question may be open
  double advice;    // questions for advice, for each candidate, at most
};

// Those without generations begin with as many as there are calls, as their papers' samplers do.
constexpr Promise promises[] = {
    {"ai-cuda-engineer", 1, 1, 1, 0.6},  // a start; then each list of proposals is of the verdicts before
    {"auto", 12, 0.9, 6, 0.5},
    {"cold-start", 8, 0.95, 8, 0},  // eight briefs, all different; then whoever is free takes the best of an island
    {"contrastive", 4, 1, 4, 0},
    {"examples", 12, 0.85, 12, 0},
    {"features", 5, 1, 5, 0},
    {"free", 4, 0.8, 4, 0},  // a generation asks one question
    {"full", 4, 1, 4, 0},
    {"funsearch", 12, 0.8, 12, 0},
    {"graph", 4, 0.85, 4, 0},  // clean slates are alike
    {"insight", 4, 1, 4, 0},
    {"judge", 2, 0.9, 2, 1},
    {"macro-micro", 2, 0.9, 1, 1},
    {"memory", 5, 0.9, 2, 0.5},
    {"solution", 5, 0.9, 5, 0},
};

void PrintTo(const Promise& promise, std::ostream* out) {
  *out << promise.name;
}

class PresetAtOnce : public testing::TestWithParam<Promise> {
 protected:
  std::unique_ptr<Search> make(std::uint64_t seed) const {
    return make_model_search(*preset(GetParam().name), {}, seed);
  }
  template <class Look>
  void each_run(unsigned trials, Look look) const {
    for (const Late late : orders)
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const auto search = make(seed);
        AtOnce run(*search, late, seed);
        run.run(trials);
        ASSERT_EQ(run.told(), trials);
        look(run);
      }
  }
};

INSTANTIATE_TEST_SUITE_P(AtOnce, PresetAtOnce, testing::ValuesIn(promises), [](const auto& name) {
  std::string word = name.param.name;
  std::replace(word.begin(), word.end(), '-', '_');
  return word;
});

TEST(AtOnce, LooksAtEveryPresetOfAModel) {
  std::vector<std::string> models, promised;
  for (const Preset& known : presets())
    if (preset(known.name)->proposer == "model") models.emplace_back(known.name);
  for (const Promise& promise : promises) promised.emplace_back(promise.name);
  EXPECT_THAT(promised, testing::UnorderedElementsAreArray(models));
}

// docs/BENCHMARKS.md has these figures (--gtest_output=json).
TEST_P(PresetAtOnce, ShowsWhatWasTriedAfterFirstGeneration) {
  for (const unsigned trials : {12u, 40u}) {
    std::vector<double> shares;
    each_run(trials, [&](const AtOnce& run) { shares.push_back(run.informed_after(GetParam().first)); });
    const double share = std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(shares.size());
    RecordProperty(fmt::format("percent_informed_of_{}", trials), static_cast<int>(std::lround(100 * share)));
    EXPECT_GE(share, GetParam().informed) << trials;
  }
}

TEST_P(PresetAtOnce, AsksOneQuestionNoMoreOftenThanItsPaper) {
  unsigned alike = 0;
  each_run(40, [&](const AtOnce& run) { alike = std::max(alike, run.alike()); });
  RecordProperty("alike", static_cast<int>(alike));
  EXPECT_LE(alike, GetParam().alike);
}

TEST_P(PresetAtOnce, AsksForNoAdviceThatNoCandidateFollows) {
  for (const unsigned trials : {6u, 12u, 40u}) {
    double asked = 0;
    each_run(trials, [&](const AtOnce& run) {
      const auto candidates = static_cast<unsigned>(run.candidates().size());
      const auto advice = static_cast<unsigned>(run.asked().size()) - candidates - run.count("post-mortem");
      EXPECT_LE(advice, std::max(2.0, GetParam().advice * candidates)) << trials;
      asked += advice;
    });
    RecordProperty(fmt::format("advice_of_{}", trials), static_cast<int>(std::lround(asked / 12)));
  }
}

// Whatever goes wrong: it ends with its trials, or where nothing new came for as long as its patience lasts.
TEST_P(PresetAtOnce, NeverWaitsForNothing) {
  for (const Late late : orders)
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
      for (const unsigned trials : {1u, 3u, 50u}) {
        const auto search = make(seed);
        AtOnce run(*search, late, seed, {0.1 * (seed % 4), 0.1 * (seed % 3), 0.15 * (seed % 5)});
        run.run(trials);
        if (run.told() < trials) {
          EXPECT_GE(run.in_vain(), preset(GetParam().name)->patience) << seed;
        }
      }
}

TEST_P(PresetAtOnce, IsTheSameAfterAskingInVain) {
  const auto requests = [&](unsigned vain) {
    const auto search = make(3);
    AtOnce run(*search, Late::randomly, 3, {.in_vain = vain});
    run.run(30);
    std::vector<std::string> texts;
    for (const AtOnce::Asked& asked : run.asked()) texts.push_back(fake::text_of(asked.request));
    return texts;
  };
  EXPECT_EQ(requests(0), requests(2));
}

// ---- the three rules

std::unique_ptr<Search> with_rule(const std::string& rule, const std::string& more = "") {
  return make_model_search(*parse_strategy(R"({ "name": "x", "proposer": "model", "population": "elite", "size": 3,
      "operators": [ { "name": "mutation", "ingredients": [ "task" ] } ], )" +
                                           rule + more + "}"),
                           {}, 1);
}

const std::string repair = R"(, "repair": { "tries": 1, "ingredients": [ "task" ] })";

TEST(Turns, NextGenerationWaitsForAllVerdicts) {
  const auto search = with_rule(R"("generation": 2)");
  const Request first = *search->ask(), second = *search->ask();
  EXPECT_EQ(search->ask(), std::nullopt);
  search->tell(second, fake::program("b"), fake::right(2));
  EXPECT_EQ(search->ask(), std::nullopt);
  search->tell(first, fake::program("a"), fake::right(1));
  EXPECT_TRUE(search->ask());
}

TEST(Turns, RepairsGoOnBesideNextGeneration) {
  const auto search = with_rule(R"("generation": 1)", repair);
  search->tell(*search->ask(), fake::program("a"), fake::wrong(Stage::compile));
  EXPECT_TRUE(search->ask()->repair_of);
  EXPECT_FALSE(search->ask()->repair_of);
  EXPECT_EQ(search->ask(), std::nullopt);
}

TEST(Turns, FailedCallLeavesItsPlaceInTheGeneration) {
  const auto search = with_rule(R"("generation": 2)");
  const Request first = *search->ask();
  ASSERT_TRUE(search->ask());
  search->fail(first);
  EXPECT_TRUE(search->ask());
  EXPECT_EQ(search->ask(), std::nullopt);
}

TEST(Turns, DuplicateCountsInTheGeneration) {
  const auto search = with_rule(R"("generation": 2)");
  const Request first = *search->ask(), second = *search->ask();
  search->tell(first, fake::program("a"), fake::right(1), 0);
  EXPECT_EQ(search->ask(), std::nullopt);
  search->tell(second, fake::program("b"), fake::right(1), 0);
  EXPECT_TRUE(search->ask());
}

TEST(Turns, EvolutionWaitsForStarts) {
  const auto search =
      with_rule(R"("starts_first": true, "valid": 3, "start": { "name": "init", "ingredients": [ "task" ] })");
  const Request first = *search->ask(), second = *search->ask();
  EXPECT_EQ(search->ask(), std::nullopt) << "two starts are wanted beside the original";
  search->tell(first, fake::program("a"), fake::right(2));
  search->tell(second, fake::program("b"), fake::wrong(Stage::verify));
  const Request third = *search->ask();
  EXPECT_EQ(third.operator_name, "init") << "one of them was wrong";
  search->tell(third, fake::program("c"), fake::right(2));
  EXPECT_EQ(search->ask()->operator_name, "mutation");
}

TEST(Turns, OneLineIsOpenOnEachProgram) {
  const auto search = with_rule(R"("abreast": 1)");
  const Request first = *search->ask();
  EXPECT_EQ(search->ask(), std::nullopt) << "there is the original alone";
  search->tell(first, fake::program("a"), fake::right(2));
  EXPECT_NE(search->ask()->parents, search->ask()->parents);
  EXPECT_EQ(search->ask(), std::nullopt);
}

TEST(Turns, OnlyAFewExpandOneNode) {
  const auto search = make_model_search(*parse_strategy(R"({ "name": "x", "proposer": "model", "population": "tree",
      "width": 2, "abreast": 2, "operators": [ { "name": "mutation", "ingredients": [ "task" ] } ] })"),
                                        {}, 1);
  const Request first = *search->ask();
  ASSERT_TRUE(search->ask());
  EXPECT_EQ(search->ask(), std::nullopt);
  const unsigned child = search->tell(first, fake::program("a"), fake::right(2));
  EXPECT_EQ(search->ask()->parents, std::vector{child});
}

TEST(Turns, TechniquesAreAskedForOnceAndAppliedOnceEach) {
  const auto search = make_model_search(*preset("memory"), {}, 1);
  const Request question = *search->ask();
  EXPECT_EQ(search->ask(), std::nullopt) << "another line would ask the same";
  search->tell_advice(question, R"([{"technique":"tile"},{"technique":"unroll"},{"technique":"pack"}])", true);
  std::set<std::string> applied;
  for (unsigned i = 0; i < 3; ++i) applied.insert(search->ask()->techniques.front().technique);
  EXPECT_THAT(applied, testing::SizeIs(3));
}

}  // namespace
}  // namespace hone::search
