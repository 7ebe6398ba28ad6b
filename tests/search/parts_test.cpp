// Each part of a model's search alone: archives, selection, schedules, history, features, credit, memory.
#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/search/fake_model.h"
#include "tool/search/archive.h"
#include "tool/search/credit.h"
#include "tool/search/history.h"
#include "tool/search/chooser.h"
#include "tool/search/selection.h"

namespace hone::search {
namespace {

using fake::program;
using fake::right;
using fake::wrong;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::SizeIs;

Strategy shaped(const std::string& population) {
  Strategy strategy;
  strategy.proposer = "model";
  strategy.population = population;
  return strategy;
}

Individual good(unsigned trial, double fitness, Cell cell = {}) {
  return {trial, fitness, true, {}, std::move(cell)};
}
Individual bad(unsigned trial) {
  return {trial, -0.5, false, {}, {}};
}

std::vector<unsigned> trials_of(const std::vector<Population::Member>& members) {
  std::vector<unsigned> trials;
  for (const auto& member : members) trials.push_back(member.trial);
  return trials;
}

// One line of work that brings one trial.
Place bring(Archive& archive, const Individual& individual, Random& random) {
  const auto place = archive.next(random);
  EXPECT_TRUE(place);
  archive.opened(*place);
  archive.add(individual, *place, random);
  archive.closed(*place, true);
  return *place;
}

TEST(Archive, EliteKeepsBestRightTrials) {
  Strategy strategy = shaped("elite");
  strategy.size = 2;
  const auto archive = make_archive(strategy);
  Random random(1);
  archive->seed(good(0, 1));
  bring(*archive, bad(1), random);
  bring(*archive, good(2, 3), random);
  bring(*archive, good(3, 2), random);
  EXPECT_THAT(trials_of(archive->members()), ElementsAre(2, 3));
}

TEST(Archive, SingleKeepsOne) {
  const auto archive = make_archive(shaped("single"));
  Random random(1);
  archive->seed(good(0, 1));
  bring(*archive, good(1, 2), random);
  EXPECT_THAT(trials_of(archive->next(random)->members), ElementsAre(1));
}

TEST(Archive, MapElitesKeepsBestOfEachCell) {
  const auto archive = make_archive(shaped("map-elites"));
  Random random(1);
  archive->seed(good(0, 1, {"plain"}));
  bring(*archive, good(1, 5, {"simd"}), random);
  bring(*archive, good(2, 4, {"simd"}), random);
  bring(*archive, good(3, 2, {"plain"}), random);
  bring(*archive, good(4, 0.5, {"threads"}), random);
  EXPECT_THAT(trials_of(archive->members()), ElementsAre(1, 3, 4));
}

TEST(Archive, IslandsResetWorseHalfFromBestOfOthers) {
  Strategy strategy = shaped("islands");
  strategy.islands = 4;
  strategy.size = 3;
  strategy.exchange = Exchange::reset;
  strategy.period = 12;
  const auto archive = make_archive(strategy);
  Random random(3);
  archive->seed(good(0, 1));
  std::map<unsigned, unsigned> best;  // by island
  for (unsigned trial = 1; trial < 12; ++trial) {
    const Place place = bring(*archive, good(trial, 1 + trial), random);
    best[place.island] = trial;
  }
  bring(*archive, good(12, 13), random);
  // Afterwards no island holds the original alone, nor the worse half of the former best.
  std::map<unsigned, std::vector<unsigned>> after;
  for (unsigned i = 0; i < 100; ++i) {
    const auto place = archive->next(random);
    after[place->island] = trials_of(place->members);
  }
  ASSERT_THAT(after, SizeIs(4));
  unsigned fresh = 0;
  for (const auto& [island, members] : after) fresh += members.size() == 1;
  EXPECT_GE(fresh, 2u);
}

TEST(Archive, IslandsInRingCopyBestToNext) {
  Strategy strategy = shaped("islands");
  strategy.islands = 2;
  strategy.size = 5;
  strategy.exchange = Exchange::ring;
  strategy.period = 1;
  const auto archive = make_archive(strategy);
  Random random(1);
  archive->seed(good(0, 1));
  bring(*archive, good(1, 9), random);
  for (unsigned i = 0; i < 20; ++i) EXPECT_EQ(archive->next(random)->members.front().trial, 1u);
}

TEST(Archive, ClustersFormAroundMostDifferentStarts) {
  Strategy strategy = shaped("clusters");
  strategy.islands = 3;
  strategy.initial = 4;
  strategy.features = {Feature::technique, Feature::length};
  const auto archive = make_archive(strategy);
  Random random(1);
  archive->seed(good(0, 1, {"plain", "1"}));
  bring(*archive, good(1, 4, {"simd", "5"}), random);
  bring(*archive, good(2, 3, {"simd", "5"}), random);
  bring(*archive, good(3, 2, {"threads", "7"}), random);
  EXPECT_EQ(archive->next(random)->members.size(), 4u) << "one group until all starts are told";
  bring(*archive, bad(4), random);
  std::map<unsigned, std::vector<unsigned>> islands;
  for (unsigned i = 0; i < 60; ++i) {
    const auto place = archive->next(random);
    islands[place->island] = trials_of(place->members);
  }
  std::set<std::vector<unsigned>> groups;
  for (const auto& [island, members] : islands) groups.insert(members);
  EXPECT_EQ(groups, (std::set<std::vector<unsigned>>{{1, 2}, {3}, {0}}));
}

TEST(Archive, TreeWidensNodeThenFollowsGain) {
  Strategy strategy = shaped("tree");
  strategy.width = 2;
  strategy.exploration = 0.1;
  const auto archive = make_archive(strategy);
  Random random(1);
  archive->seed(good(0, 1));
  EXPECT_EQ(bring(*archive, good(1, 4), random).current, 0u);
  EXPECT_EQ(bring(*archive, good(2, 1), random).current, 0u);
  EXPECT_EQ(bring(*archive, good(3, 5), random).current, 1u) << "the child that gained";
}

TEST(Archive, TreeFreesPlaceOfFailedLine) {
  Strategy strategy = shaped("tree");
  strategy.width = 1;
  const auto archive = make_archive(strategy);
  Random random(1);
  archive->seed(good(0, 1));
  const auto place = archive->next(random);
  archive->opened(*place);
  archive->closed(*place, false);
  EXPECT_EQ(bring(*archive, good(1, 2), random).current, 0u);
  EXPECT_EQ(archive->next(random)->current, 1u);
}

TEST(Selection, RankUsesOneOverRankPlusSize) {
  const std::vector<Population::Member> members{{4, 4}, {3, 3}, {2, 2}, {1, 1}};
  Random random(1);
  std::map<unsigned, unsigned> chosen;
  for (unsigned i = 0; i < 4000; ++i)
    ++chosen[select_parents(
        members, 1, Selection::rank, 1, [](unsigned) { return 0u; }, random)[0]];
  EXPECT_NEAR(chosen[4] / 4000.0, 0.315, 0.03);
  EXPECT_NEAR(chosen[1] / 4000.0, 0.197, 0.03);
}

TEST(Selection, ReturnsDistinctParentsSlowestFirst) {
  const std::vector<Population::Member> members{{4, 4}, {3, 3}, {2, 2}};
  Random random(1);
  for (const Selection selection : {Selection::rank, Selection::sigmoid, Selection::uniform, Selection::best})
    for (unsigned i = 0; i < 50; ++i) {
      const auto pair = select_parents(
          members, 2, selection, 1, [](unsigned) { return 0u; }, random);
      ASSERT_THAT(pair, SizeIs(2));
      EXPECT_LT(pair[0], pair[1]);
    }
  EXPECT_THAT(select_parents(
                  members, 9, Selection::rank, 1, [](unsigned) { return 0u; }, random),
              SizeIs(3));
}

TEST(Selection, SigmoidAvoidsParentsWithManyChildren) {
  const std::vector<Population::Member> members{{4, 4}, {3, 3.9}, {2, 1}};
  Random random(1);
  std::map<unsigned, unsigned> chosen;
  for (unsigned i = 0; i < 2000; ++i)
    ++chosen[select_parents(
        members, 1, Selection::sigmoid, 1, [](unsigned t) { return t == 4 ? 9u : 0u; }, random)[0]];
  EXPECT_GT(chosen[3], chosen[4]);
  EXPECT_LT(chosen[2], 20u) << "far under the median";
}

TEST(Schedule, CycleKeepsOrderAndWeights) {
  const auto cycle = make_chooser(Schedule::cycle, {1, 2, 1}, 1);
  Random random(1);
  std::vector<std::size_t> chosen;
  for (unsigned i = 0; i < 8; ++i) chosen.push_back(cycle->choose({true, true, true}, random));
  EXPECT_THAT(chosen, ElementsAre(0, 1, 1, 2, 0, 1, 1, 2));
  EXPECT_EQ(cycle->choose({false, false, true}, random), 2u);
}

TEST(Schedule, WeightedChoosesInProportion) {
  const auto weighted = make_chooser(Schedule::weighted, {3, 1, 5}, 1);
  Random random(1);
  unsigned first = 0;
  for (unsigned i = 0; i < 2000; ++i) first += weighted->choose({true, true, false}, random) == 0;
  EXPECT_NEAR(first / 2000.0, 0.75, 0.04);
}

TEST(Schedule, BanditPrefersGainPerCost) {
  const auto bandit = make_chooser(Schedule::bandit, {1, 1, 1}, 0.5);
  Random random(1);
  std::map<std::size_t, unsigned> chosen;
  for (unsigned i = 0; i < 100; ++i) {
    const std::size_t arm = bandit->choose({true, true, true}, random);
    ++chosen[arm];
    bandit->learn(arm, arm == 0 ? 0.1 : 0.4,
                  arm == 2 ? 4 : 1);  // the third gains as the second does, for four times as much
  }
  EXPECT_GT(chosen[1], chosen[0]);
  EXPECT_GT(chosen[1], 2 * chosen[2]);
  EXPECT_GT(chosen[0], 0u);
  EXPECT_GT(chosen[2], 0u);
}

TEST(Schedule, BanditSpreadsOpenRequestsOverArms) {
  const auto bandit = make_chooser(Schedule::bandit, {1, 1, 1}, 1);
  Random random(1);
  std::set<std::size_t> chosen;
  for (unsigned i = 0; i < 3; ++i) chosen.insert(bandit->choose({true, true, true}, random));
  EXPECT_THAT(chosen, SizeIs(3));
}

TEST(Credit, RewardsGainMostAndRareCorrectness) {
  Credit credit;
  EXPECT_EQ(credit.of(wrong(Stage::verify), 1), 0);
  EXPECT_GT(credit.of(right(3), 2), credit.of(right(2), 2));
  EXPECT_GT(credit.of(right(2), 2), credit.of(right(1), 2));
  const double before = credit.of(right(1), 2);
  for (unsigned i = 0; i < 10; ++i) credit.count(false);
  EXPECT_GT(credit.of(right(1), 2), before);
}

TEST(Features, DistinguishPrograms) {
  const Feature all[] = {Feature::length, Feature::operator_name, Feature::speed, Feature::technique};
  Candidate plain = program("for (;;) x++;"), simd = program("_mm256_add_ps(a, b);");
  simd.operator_name = "mutation";
  const Cell one = cell_of(all, plain, right(1)), other = cell_of(all, simd, right(4));
  ASSERT_THAT(one, SizeIs(4));
  EXPECT_EQ(distance(one, one), 0u);
  EXPECT_GE(distance(one, other), 3u);
  EXPECT_EQ(other[3], "simd");
  EXPECT_EQ(cell_of(all, plain, wrong(Stage::compile))[2], "failed");
}

std::vector<Trial> some_trials() {
  std::vector<Trial> trials;
  const auto add = [&](const Verdict& verdict, std::vector<unsigned> parents, std::optional<unsigned> twin = {}) {
    Trial trial;
    trial.number = static_cast<unsigned>(trials.size());
    trial.candidate = program("p" + std::to_string(trial.number), "thought " + std::to_string(trial.number));
    trial.candidate.parents = std::move(parents);
    trial.verdict = verdict;
    trial.duplicate_of = twin;
    trials.push_back(trial);
  };
  add(right(1), {});
  add(right(2), {0});
  add(wrong(Stage::compile, "a"), {1});
  add(right(4), {1});
  add(wrong(Stage::compile, "a"), {3});
  add(right(3), {1});
  add(right(3), {1}, 5);
  add(wrong(Stage::verify, "b"), {3});
  return trials;
}

TEST(History, PicksTrialsByStrategy) {
  const auto trials = some_trials();
  Place place;
  place.members = {{3, 4}, {5, 3}, {1, 2}, {0, 1}};
  const auto pick = [&](Pick pick, unsigned count, Order order, std::vector<unsigned> parents) {
    return pick_history(trials, {pick, count, order}, place, parents);
  };
  EXPECT_THAT(pick(Pick::best, 2, Order::slow_to_fast, {}), ElementsAre(5, 3));
  EXPECT_THAT(pick(Pick::best, 2, Order::fast_to_slow, {3}), ElementsAre(5, 1));
  EXPECT_THAT(pick(Pick::spread, 3, Order::slow_to_fast, {}), ElementsAre(0, 1, 3));
  EXPECT_THAT(pick(Pick::recent, 3, Order::oldest_first, {}), ElementsAre(4, 5, 7));
  EXPECT_THAT(pick(Pick::lineage, 5, Order::oldest_first, {3}), ElementsAre(1));
  EXPECT_THAT(pick(Pick::siblings, 5, Order::oldest_first, {1}), ElementsAre(2, 3, 5));
}

TEST(History, PicksLatestErrorsWithDifferentReasons) {
  EXPECT_THAT(pick_errors(some_trials(), 5, {}, {}), ElementsAre(4, 7));
  EXPECT_THAT(pick_errors(some_trials(), 1, {}, {7}), ElementsAre(4));
  Place place;
  place.failures = {2};
  EXPECT_THAT(pick_errors(some_trials(), 1, place, {}), ElementsAre(2)) << "the place's own first";
}

TEST(History, PicksDistinctInsights) {
  Random random(1);
  const auto picked = pick_insights(some_trials(), 20, {3}, random);
  EXPECT_THAT(picked, Not(Contains(3u)));
  EXPECT_THAT(picked, Not(Contains(6u)));
  EXPECT_THAT(picked, SizeIs(6));
}

const KernelState memory_bound{"memory", {{"locality", 1}, {"vectorisation", 2}}};
const KernelState compute_bound{"compute", {{"locality", 3}, {"vectorisation", 0}}};

TEST(Memory, ComparesStatesByBottleneckAndAxes) {
  EXPECT_DOUBLE_EQ(similarity(memory_bound, memory_bound), 1);
  EXPECT_LT(similarity(memory_bound, compute_bound), 0.5);
  EXPECT_DOUBLE_EQ(similarity({"memory", {}}, {"memory", {}}), 1);
  EXPECT_EQ(in_words(memory_bound), "memory; locality 1, vectorisation 2");
}

TEST(Memory, RewardsGainAndPredictionAndPunishesLoss) {
  EXPECT_DOUBLE_EQ(reward(2, 2), std::log(2) + 0.2);
  EXPECT_DOUBLE_EQ(reward(4, 2), std::log(2));
  EXPECT_DOUBLE_EQ(reward(2, 0.5), std::log(0.5) - 0.5);
  EXPECT_TRUE(disappoints(4, 1.5));
  EXPECT_FALSE(disappoints(2, 1.9));
}

TEST(Memory, PrefersTechniqueThatGainedInSimilarState) {
  Memory memory;
  memory.record(memory_bound, "tile", 1.5, 2.0);
  memory.record(memory_bound, "unroll", 1.5, 1.1);
  memory.record(compute_bound, "vectorise", 1.5, 2.0);
  Random random(1);
  std::map<std::string, unsigned> drawn;
  for (unsigned i = 0; i < 2000; ++i) ++drawn[memory.sample(memory_bound, random)->technique];
  EXPECT_GT(drawn["tile"], 1500u);
  EXPECT_GT(drawn["tile"], drawn["vectorise"]);
  EXPECT_EQ(memory.relevant(memory_bound, 1)[0].technique, "tile");
  EXPECT_EQ(Memory().sample(memory_bound, random), std::nullopt);
}

TEST(Memory, LearnsFromMeasurementsAndFailures) {
  Memory memory;
  memory.expect(memory_bound, "tile", 4);
  EXPECT_EQ(memory.entries()[0].predicted, 4);
  memory.record(memory_bound, "tile", 4, 1.0);
  EXPECT_LT(memory.entries()[0].predicted, 4) << "moves towards what was measured";
  memory.record(memory_bound, "tile", 2, 4.0);
  EXPECT_NEAR(memory.entries()[0].actual, 2, 1e-9) << "geometric mean";
  const double before = memory.relevance(memory.entries()[0], memory_bound);
  memory.record(memory_bound, "tile", 2, std::nullopt);
  EXPECT_EQ(memory.entries()[0].failures, 1u);
  EXPECT_LT(memory.relevance(memory.entries()[0], memory_bound), before);
}

TEST(Memory, RoundTripsThroughJson) {
  Memory memory;
  memory.record(memory_bound, "tile \"both\" loops\n", 1.5, 1.4);
  memory.note(memory_bound, "tile \"both\" loops\n", "näher");
  memory.expect(compute_bound, "vectorise", 3);
  const auto back = Memory::parse(memory.serialize());
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(back->entries(), memory.entries());
  EXPECT_EQ(back->serialize(), memory.serialize());
}

TEST(Memory, StaysReadableAfterExtremeValues) {
  const KernelState state{"memory", {}};
  for (const double predicted : {1e-9, 1e9})
    for (const double actual : {1e-9, 1e9}) {
      Memory memory;
      memory.expect(state, "a", predicted);
      memory.record(state, "b", predicted, actual);
      EXPECT_TRUE(Memory::parse(memory.serialize())) << predicted << " " << actual;
    }
  auto full = Memory::parse(
      R"({"memory":1,"entries":[{"bottleneck":"memory","technique":"a","uses":1000000000,"failures":1000000000}]})");
  ASSERT_TRUE(full);
  full->record(state, "a", 2, 2.0);
  full->record(state, "a", 2, std::nullopt);
  EXPECT_TRUE(Memory::parse(full->serialize()));
}

TEST(Memory, RejectsInvalidJson) {
  for (const char* text : {"", "[]", "{}", R"({"memory":2,"entries":[]})", R"({"memory":1,"entries":[{}]})",
                           R"({"memory":1,"entries":[{"technique":"x","actual":-1}]})",
                           R"({"memory":1,"entries":[{"technique":"x","axes":[]}]})",
                           R"({"memory":1,"entries":[{"technique":"x","axes":{"a":9}}]})",
                           R"({"memory":1,"entries":[{"technique":"x","confidence":2}]})"})
    EXPECT_FALSE(Memory::parse(text)) << text;
}

}  // namespace
}  // namespace hone::search
