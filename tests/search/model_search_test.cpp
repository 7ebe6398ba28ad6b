#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/search/fake_model.h"
#include "tests/search/promises.h"
#include "tool/search/model_operators.h"
#include "tool/search/presets.h"

namespace hone::search {
namespace {

using fake::judge;
using fake::Model;
using fake::program;
using fake::right;
using fake::run;
using fake::wrong;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

std::vector<std::string> model_presets() {
  std::vector<std::string> names;
  for (const Preset& known : presets())
    if (preset(known.name)->proposer == "model") names.emplace_back(known.name);
  return names;
}

std::unique_ptr<Search> make(const std::string& name, std::uint64_t seed = 1, Start start = {}) {
  return make_model_search(*preset(name), std::move(start), seed);
}

std::unique_ptr<Search> from_text(const std::string& text, std::uint64_t seed = 1, Start start = {}) {
  const auto strategy = parse_strategy(text);
  EXPECT_TRUE(strategy) << strategy.error().message();
  return make_model_search(*strategy, std::move(start), seed);
}

class EachPreset : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(ModelSearch, EachPreset, testing::ValuesIn(model_presets()), [](const auto& name) {
  std::string word = name.param;
  std::replace(word.begin(), word.end(), '-', '_');
  return word;
});

TEST_P(EachPreset, RepeatsRequestsForSameSeedAndReplies) {
  const auto once = [&](std::uint64_t seed, unsigned open) {
    const auto search = make(GetParam(), seed);
    Model model(5);
    return run(*search, model, 45, open);
  };
  EXPECT_EQ(once(7, 4), once(7, 4));
  EXPECT_EQ(once(7, 1), once(7, 1));
}

TEST_P(EachPreset, BeatsRandomSearch) {
  double found = 0, by_chance = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto search = make(GetParam(), seed);
    Model model(seed);
    run(*search, model, 60, 2);
    ASSERT_EQ(search->trials().size(), 61u);
    found += search->best() ? std::log(search->best()->verdict.measurement.speedup.median) : 0;

    const auto random = from_text(R"({ "name": "chance", "proposer": "model", "population": "single",
        "operators": [ { "name": "init", "ingredients": [ "task" ] } ] })",
                                  seed);
    Model same(seed);
    run(*random, same, 60, 2);
    by_chance += random->best() ? std::log(random->best()->verdict.measurement.speedup.median) : 0;
  }
  EXPECT_GT(found, by_chance);
}

TEST_P(EachPreset, KeepsInvariantsForRandomReplies) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed * 77);
    Start start;
    start.models = 1 + seed % 3;
    for (unsigned i = 0; i < seed % 4; ++i)
      start.seeds.push_back({program("seed"), i == 1 ? wrong(Stage::time) : right(1.5)});
    const auto search = make(GetParam(), seed, start);
    ASSERT_EQ(search->trials().size(), 1 + start.seeds.size());
    Promises promises(*search);
    Model model(seed);
    std::vector<Request> pending;
    for (unsigned step = 0; step < 400; ++step) {
      while (pending.size() < 1 + seed % 6) {
        const auto request = search->ask();
        if (!request) break;
        ASSERT_EQ(promises.broken_by(*request), "");
        ASSERT_LT(request->model, start.models);
        pending.push_back(*request);
      }
      if (pending.empty()) break;
      const std::size_t at = random.below(pending.size());
      const Request request = pending[at];
      pending.erase(pending.begin() + at);
      if (random.chance(0.5)) search->charge(request, 100 * random.unit());
      if (random.chance(0.1)) {
        search->fail(request);
      } else if (request.kind == RequestKind::advice) {
        static const char* texts[] = {"[]", "{}", "nonsense", "[1, {\"technique\": \"x\", \"predicted\": -1}]", "\xff"};
        const bool ok = random.chance(0.8);
        search->tell_advice(request,
                            random.chance(0.3) ? texts[random.below(5)] : model.advise(request, search->trials()), ok);
      } else {
        const unsigned count = static_cast<unsigned>(search->trials().size());
        std::optional<unsigned> twin;
        Verdict verdict =
            random.chance(0.5) ? right(std::exp(4 * random.unit() - 2)) : wrong(static_cast<Stage>(random.below(5)));
        if (random.chance(0.15)) {
          twin = static_cast<unsigned>(random.below(count));
          verdict = search->trials()[*twin].verdict;
          if (const auto first = search->trials()[*twin].duplicate_of) twin = first;
        }
        ASSERT_EQ(search->tell(request, program("p"), verdict, twin), count);
        ASSERT_EQ(search->trials().size(), count + 1);
        ASSERT_EQ(search->trials()[count].number, count);
      }
    }
  }
}

TEST_P(EachPreset, EndsWhenOnlyDuplicatesCome) {
  const auto search = make(GetParam());
  unsigned told = 0;
  while (const auto request = search->ask()) {
    ASSERT_LT(++told, 500u);
    if (request->kind == RequestKind::advice) {
      search->tell_advice(*request, "{}", true);
    } else {
      search->tell(*request, program("same"), right(1), 0);
    }
  }
  EXPECT_EQ(search->best(), nullptr);
}

TEST_P(EachPreset, EndsWhenEveryCallFails) {
  const auto search = make(GetParam());
  unsigned failed = 0;
  while (const auto request = search->ask()) {
    ASSERT_LT(++failed, 500u);
    search->fail(*request);
  }
  EXPECT_EQ(search->trials().size(), 1u) << "a failed call is no trial";
}

// A journal holds the calls; a search that hears them again asks on as if nothing had happened.
TEST_P(EachPreset, ResumesFromJournalWithSameRequests) {
  const auto whole = make(GetParam(), 3);
  Model model(9);
  std::vector<std::string> first = run(*whole, model, 20);
  Model again(9);
  const auto resumed = make(GetParam(), 3);
  for (unsigned trials : {7u, 13u}) {
    const auto part = run(*resumed, again, trials);
    ASSERT_LE(part.size(), first.size());
    EXPECT_TRUE(std::equal(part.begin(), part.end(), first.begin()));
    first.erase(first.begin(), first.begin() + part.size());
  }
  EXPECT_TRUE(first.empty());
}

// ---- what all of them share

const std::string elite = R"({ "name": "x", "proposer": "model", "population": "elite", "size": 5,
  "operators": [ { "name": "mutation", "ingredients": [ "task" ] } ], )";

TEST(ModelSearch, RepairsFailedProgramUpToAllowedTries) {
  const auto search = from_text(elite + R"("repair": { "tries": 2, "ingredients": [ "task" ] } })");
  auto request = search->ask();
  const unsigned broken = search->tell(*request, program("a"), wrong(Stage::compile, "line 3: no"));
  request = search->ask();
  EXPECT_EQ(request->operator_name, "repair");
  EXPECT_EQ(request->repair_of, broken);
  const unsigned worse = search->tell(*request, program("b"), wrong(Stage::gate));
  request = search->ask();
  EXPECT_EQ(request->repair_of, worse) << "tries are in a row";
  search->tell(*request, program("c"), wrong(Stage::verify));
  EXPECT_EQ(search->ask()->operator_name, "mutation") << "two tries were allowed";
}

TEST(ModelSearch, RepairsOnlyWhileStageImproves) {
  const auto search = from_text(elite + R"("repair": { "tries": 9, "when": "nearer", "ingredients": [ "task" ] } })");
  search->tell(*search->ask(), program("a"), wrong(Stage::compile));
  for (const Stage stage : {Stage::verify, Stage::verify}) {
    const auto request = search->ask();
    EXPECT_TRUE(request->repair_of);
    search->tell(*request, program("b"), wrong(stage));
  }
  EXPECT_FALSE(search->ask()->repair_of);
}

TEST(ModelSearch, RepeatsOperatorAfterFailedCall) {
  const auto search = make("full");
  const auto first = search->ask();
  search->fail(*first);
  const auto second = search->ask();
  EXPECT_EQ(second->number, 2u);
  EXPECT_EQ(second->operator_name, first->operator_name);
  EXPECT_EQ(search->tell(*second, program("a"), right(2)), 1u) << "trials are numbered as they are told";
}

TEST(ModelSearch, AsksOnWhileOneCallIsOpen) {
  const auto search = make("examples");
  const auto slow = search->ask();
  for (unsigned i = 0; i < 30; ++i) {
    const auto request = search->ask();
    ASSERT_TRUE(request);
    search->tell(*request, program(std::to_string(i)), right(1 + i));
  }
  EXPECT_EQ(search->tell(*slow, program("late"), right(99)), 31u);
  EXPECT_EQ(search->best()->candidate.name, "late");
}

TEST(ModelSearch, CountsSeedsAsTrialsAndStartsFromBest) {
  Start start;
  start.seeds = {{program("tile"), right(3)}, {program("bad"), wrong(Stage::verify)}, {program("simd"), right(2)}};
  const auto search = make("free", 1, start);
  ASSERT_EQ(search->trials().size(), 4u);
  EXPECT_EQ(search->best()->number, 1u);
  const auto request = search->ask();
  EXPECT_EQ(request->best, 1u);
  EXPECT_EQ(search->tell(*request, program("x"), right(1)), 4u);
}

TEST(ModelSearch, ReturnsFastestAcceptedTrialAsBest) {
  const auto search = make("free");
  Verdict unproven = right(9);
  unproven.faster = false;
  search->tell(*search->ask(), program("a"), unproven);
  EXPECT_EQ(search->best(), nullptr);
  search->tell(*search->ask(), program("b"), right(2));
  search->tell(*search->ask(), program("c"), right(1.5));
  EXPECT_EQ(search->best()->number, 2u);
}

TEST(ModelSearch, NeverShowsDuplicates) {
  const auto search = make("full");
  search->tell(*search->ask(), program("a", "thought"), right(2));
  const unsigned twin = search->tell(*search->ask(), program("a", "thought"), right(2), 1);
  for (unsigned i = 0; i < 40; ++i) {
    const auto request = search->ask();
    EXPECT_THAT(request->parents, Not(Contains(twin)));
    EXPECT_THAT(request->shown, Not(Contains(twin)));
    EXPECT_THAT(request->insights, Not(Contains(twin)));
    search->tell(*request, program(std::to_string(i)), right(1 + 0.1 * (i % 7)));
  }
}

TEST(ModelSearch, PrefersModelThatGainsForItsCost) {
  Start start;
  start.models = 2;
  const auto search = make("free", 1, start);
  std::map<unsigned, unsigned> asked;
  for (unsigned i = 0; i < 60; ++i) {
    const auto request = search->ask();
    ++asked[request->model];
    search->charge(*request, 100);
    if (request->model == 0) {
      search->tell(*request, program(std::to_string(i)), right(std::pow(1.05, i)));
    } else {
      search->tell(*request, program(std::to_string(i)), right(0.5));
    }
  }
  EXPECT_GT(asked[0], 2 * asked[1]);
  EXPECT_GT(asked[1], 0u);
}

TEST(ModelSearch, ScoresTrialsInTenthsOfBest) {
  const auto search = make("free");
  search->tell(*search->ask(), program("a"), right(4));
  search->tell(*search->ask(), program("b"), wrong(Stage::verify));
  EXPECT_EQ(score_of(search->trials(), 0), 3u);
  EXPECT_EQ(score_of(search->trials(), 1), 10u);
  EXPECT_EQ(score_of(search->trials(), 2), 0u);
}

}  // namespace
}  // namespace hone::search
