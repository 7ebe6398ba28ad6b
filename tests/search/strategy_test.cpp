#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/search/presets.h"
#include "tool/search/strategy.h"

namespace hone::search {
namespace {

using testing::HasSubstr;

TEST(Strategy, ParsesEachPresetUnderItsName) {
  ASSERT_FALSE(presets().empty());
  for (const Preset& known : presets()) {
    const auto strategy = preset(known.name);
    ASSERT_TRUE(strategy) << strategy.error().message();
    EXPECT_EQ(strategy->name, known.name);
  }
}

TEST(Strategy, ReadsEveryMember) {
  const auto strategy =
      parse_strategy(R"({ "name": "mine", "population": "single", "size": 3, "initial": 0, "patience": 7,
    "operators": [ { "name": "mutation", "weight": 2.5 }, { "name": "init" } ] })");
  ASSERT_TRUE(strategy) << strategy.error().message();
  EXPECT_EQ(*strategy, (Strategy{"mine", "single", 3, 0, 7, {{"mutation", 2.5}, {"init", 1}}}));
}

struct Wrong {
  const char* text;
  const char* message;
};

TEST(Strategy, ReportsPlaceAndExpectation) {
  const Wrong wrongs[] = {
      {"{\n \"name\": \"x\",\n \"size\": 0,\n \"operators\": [{\"name\": \"init\"}] }",
       "line 3: \"size\" must be a whole number"},
      {"{\n \"name\": \"x\",\n", "line 3: the strategy is not JSON"},
      {"{\n \"name\": \"x\",\n \"rounds\": 7e9998\n}", "line 3: the strategy has a number that is too large"},
      {"[]", "must be a JSON object"},
      {"{ \"name\": \"x\" }", "\"operators\" must be given"},
      {"{ \"name\": \"x\",\n \"operators\": [] }", "line 2: \"operators\" must be a list that is not empty"},
      {"{ \"name\": \"x\", \"operators\": \"y\",\n \"operat\\u006frs\": [] }",
       "line 2: \"operators\" is given twice; leave one of them out"},
      {"{ \"name\": \"x\",\n \"operators\": [\n { \"name\": \"mutate\" } ] }",
       "line 3: \"name\" must be one of init, crossover"},
      {"{ \"name\": \"x\",\n \"operators\": [\n { \"name\": \"init\" },\n { \"name\": \"init\", \"weight\": -1 } ] }",
       "line 4: \"weight\" must be a number above zero"},
      {"{ \"name\": \"x\",\n \"population\": \"elites\", \"operators\": [{\"name\": \"init\"}] }",
       "line 2: \"population\" must be one of single, elite"},
      {"{ \"name\": \"x\", \"sise\": 3, \"operators\": [{\"name\": \"init\"}] }", "\"sise\" must be left out"},
  };
  for (const Wrong& wrong : wrongs) {
    const auto strategy = parse_strategy(wrong.text);
    ASSERT_FALSE(strategy) << wrong.text;
    EXPECT_THAT(strategy.error().message(), HasSubstr(wrong.message));
  }
}

TEST(Strategy, ReadsModelStrategy) {
  const auto strategy = parse_strategy(R"({ "name": "mine", "about": "words", "proposer": "model",
    "population": "islands", "size": 3, "islands": 4, "exchange": "ring", "period": 9, "selection": "sigmoid",
    "schedule": "bandit", "exploration": 0.3, "patience": 7, "initial": 2, "valid": 3,
    "start": { "name": "init", "ingredients": [ "hardware", "task" ] }, "briefs": [ "one", "two" ], "target": 9,
    "operators": [
      { "name": "e1", "parents": 3, "weight": 2.5, "ingredients": [ "task", "target", "insights" ], "insights": 2 },
      { "name": "coder", "as": "judged", "ingredients": [ "task", "history" ],
        "history": { "pick": "spread", "count": 2, "order": "fast-to-slow" },
        "advised_by": { "name": "judge", "ingredients": [ "profile" ] } } ],
    "repair": { "tries": 2, "when": "nearer", "ingredients": [ "errors" ], "errors": 1 } })");
  ASSERT_TRUE(strategy) << strategy.error().message();
  EXPECT_EQ(strategy->proposer, "model");
  EXPECT_EQ(strategy->about, "words");
  EXPECT_EQ(strategy->islands, 4u);
  EXPECT_EQ(strategy->exchange, Exchange::ring);
  EXPECT_EQ(strategy->period, 9u);
  EXPECT_EQ(strategy->selection, Selection::sigmoid);
  EXPECT_EQ(strategy->schedule, Schedule::bandit);
  EXPECT_EQ(strategy->exploration, 0.3);
  EXPECT_EQ(strategy->initial, 2u);
  EXPECT_EQ(strategy->valid, 3u);
  EXPECT_EQ(strategy->target, 9u);
  EXPECT_EQ(strategy->briefs, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(strategy->start->ingredients, (std::vector{Ingredient::task, Ingredient::hardware}));
  ASSERT_EQ(strategy->operators.size(), 2u);
  EXPECT_EQ(strategy->operators[0].parents, 3u);
  EXPECT_EQ(strategy->operators[0].insights, 2u);
  EXPECT_EQ(strategy->operators[1].label(), "judged");
  EXPECT_EQ(strategy->operators[1].history, (HistoryChoice{Pick::spread, 2, Order::fast_to_slow}));
  EXPECT_EQ(strategy->operators[1].advised_by.at(0).name, "judge");
  EXPECT_EQ(strategy->repair.tries, 2u);
  EXPECT_EQ(strategy->repair.when, RepairWhen::nearer);
  EXPECT_EQ(strategy->repair.asked.errors, 1u);
}

TEST(Strategy, ReadsWhatPromptsShowOfEarlierSearches) {
  const auto with = [](const std::string& ingredient, const std::string& members) {
    return parse_strategy(R"({ "name": "x", "proposer": "model", "operators": [ { "name": "init", "ingredients": [ ")" +
                          ingredient + "\" ] } ]" + members + " }");
  };
  EXPECT_TRUE(shows_pairs(*with("examples", "")));
  EXPECT_TRUE(shows_pairs(*with("archive", "")));
  EXPECT_FALSE(shows_pairs(*with("task", "")));
  EXPECT_FALSE(with("archive", "")->own);
  EXPECT_TRUE(with("archive", R"(, "own": true)")->own);
  EXPECT_THAT(with("task", R"(, "own": true)").error().message(),
              HasSubstr("\"own\" must be left out: no operator has examples or archive as an ingredient"));
}

TEST(Strategy, ReadsWhatOpinionsAreFor) {
  const std::string head = R"({ "name": "x", "proposer": "model", "operators": [ { "name": "init" } ])";
  EXPECT_EQ(parse_strategy(head + " }")->opinion, OpinionUse::none);
  EXPECT_EQ(parse_strategy(head + R"(, "opinion": "filter" })")->opinion, OpinionUse::filter);
  EXPECT_EQ(parse_strategy(head + R"(, "opinion": "watch" })")->opinion, OpinionUse::watch);
  EXPECT_THAT(parse_strategy(head + R"(, "opinion": true })").error().message(),
              HasSubstr("\"opinion\" must be one of filter, watch"));
}

TEST(Strategy, ReadsWhatWaitsForWhat) {
  const std::string head = R"({ "name": "x", "proposer": "model", "operators": [ { "name": "init" } ], )";
  EXPECT_EQ(parse_strategy(head + R"("generation": 4 })")->generation, 4u);
  EXPECT_EQ(parse_strategy(head + R"("abreast": 2 })")->abreast, 2u);
  EXPECT_TRUE(parse_strategy(head + R"("start": { "name": "init" }, "starts_first": true })")->starts_first);
}

TEST(Strategy, ReportsContradictionsAndUselessMembers) {
  const std::string head = "{ \"name\": \"x\", \"proposer\": \"model\",\n";
  const std::string init = "\"operators\": [ { \"name\": \"init\", \"ingredients\": [ \"task\" ] } ]";
  const std::pair<std::string, const char*> wrongs[] = {
      {"{ \"name\": \"x\",\n \"operators\": [\n { \"name\": \"repair\" } ] }", "line 3: \"name\" must be one of init"},
      {"{ \"name\": \"x\", \"operators\": [ { \"name\": \"e1\" } ] }", "'e1' is asked of a model"},
      {"{ \"name\": \"x\", \"proposer\": \"llm\", \"operators\": [ { \"name\": \"init\" } ] }",
       "one of builtin, model"},
      {head + "\"population\": \"forest\", " + init + "}",
       "line 2: \"population\" must be one of single, elite, islands"},
      {head + "\"size\": 4,\n\"population\": \"single\", " + init + "}",
       "line 2: \"size\" must be left out: population 'single' does not read it"},
      {head + "\"population\": \"islands\",\n \"exchange\": \"reset\", " + init + "}",
       "line 3: \"exchange\" must be left out"},
      {head + "\"population\": \"islands\", \"islands\": 2,\n \"exchange\": \"swap\", " + init + "}",
       "line 3: \"exchange\" must be one of none, reset, ring"},
      {head + "\"exploration\": 1, " + init + "}", "\"exploration\" must be left out"},
      {head + "\"valid\": 1, " + init + "}", "\"valid\" must be left out: there is no \"start\""},
      {head + "\"population\": \"rounds\", " + init + "}",
       "\"start\" must be given: population 'rounds' begins with it"},
      {head + "\"population\": \"map-elites\", " + init + "}", "\"features\" must be a list of length, operator"},
      {head + "\"target\": 10, " + init + "}", "\"target\" must be left out: no operator has it"},
      {head + "\"briefs\": [], " + init + "}", "\"briefs\" must be left out"},
      {head + "\"operators\": [\n{ \"name\": \"init\", \"ingredients\": [ \"tsak\" ] } ] }",
       "line 3: \"ingredients\" must be a list of task, hardware"},
      {head + "\"operators\": [ { \"name\": \"init\", \"ingredients\": [ \"task\", \"history\" ] } ] }",
       "\"history\" must be given"},
      {head + "\"operators\": [ { \"name\": \"init\", \"ingredients\": [ \"insights\" ] } ] }",
       "\"insights\" must be given as a count"},
      {head + "\"operators\": [ { \"name\": \"init\", \"errors\": 2 } ] }", "\"errors\" must be left out, or"},
      {head + "\"operators\": [ { \"name\": \"judge\" } ] }", "\"name\" must be one of init, crossover"},
      {head + "\"operators\": [ { \"name\": \"coder\" } ] }", "\"advised_by\" must be given"},
      {head + "\"operators\": [ { \"name\": \"mutation\", \"advised_by\": { \"name\": \"judge\" } } ] }",
       "\"advised_by\" must be left out: mutation reads no advice"},
      {head + "\"operators\": [ { \"name\": \"coder\",\n \"advised_by\": {\n \"name\": \"init\" } } ] }",
       "line 4: \"name\" must be one of judge, plan, propose, techniques"},
      {head + "\"operators\": [ { \"name\": \"crossover\", \"parents\": 1 } ] }",
       "\"parents\" must be a whole number from 2 to 4"},
      {head + "\"operators\": [ { \"name\": \"crossover\" } ] }", "no operator here can begin with the original alone"},
      {head + "\"operators\": [ { \"name\": \"init\" }, { \"name\": \"init\" } ] }", "'init' stands there twice"},
      {head + "\"starts_first\": true, " + init + "}", "\"starts_first\" must be left out: there is no \"start\""},
      {head + "\"generation\": 4, \"starts_first\": true, \"start\": { \"name\": \"init\" }, " + init + "}",
       "\"starts_first\" must be left out: a generation waits for its starts"},
      {head + "\"population\": \"chain\", \"start\": { \"name\": \"init\" },\n\"generation\": 4, " + init + "}",
       "line 3: \"generation\" must be left out: population 'chain' does not read it"},
      {head + "\"population\": \"islands\",\n\"abreast\": 1, " + init + "}", "line 3: \"abreast\" must be left out"},
      {head + "\"generation\": 0, " + init + "}", "\"generation\" must be a whole number from 1 to 100"},
      {head + "\"repair\": { }, " + init + "}", "\"tries\" must be given"},
      {head + "\"repair\": { \"tries\": 1,\n \"wehn\": \"any\" }, " + init + "}", "line 3: \"wehn\" must be left out"},
  };
  for (const auto& [text, message] : wrongs) {
    const auto strategy = parse_strategy(text);
    ASSERT_FALSE(strategy) << text;
    EXPECT_THAT(strategy.error().message(), HasSubstr(message)) << text;
  }
}

TEST(Strategy, ListsPresetsWhenNameIsUnknown) {
  const auto strategy = preset("buitlin");
  ASSERT_FALSE(strategy);
  EXPECT_THAT(strategy.error().message(), HasSubstr("builtin"));
}

}  // namespace
}  // namespace hone::search
