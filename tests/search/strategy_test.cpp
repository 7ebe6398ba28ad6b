#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/search/presets.h"
#include "tool/search/strategy.h"

namespace hone::search {
namespace {

using testing::HasSubstr;

TEST(Strategy, EachPresetParsesUnderItsOwnName) {
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

TEST(Strategy, SaysWhereAndWhatWasExpected) {
  const Wrong wrongs[] = {
      {"{\n \"name\": \"x\",\n \"size\": 0,\n \"operators\": [{\"name\": \"init\"}] }",
       "line 3: \"size\" must be a whole number"},
      {"{\n \"name\": \"x\",\n", "line 3: the strategy is not JSON"},
      {"[]", "must be a JSON object"},
      {"{ \"name\": \"x\" }", "\"operators\" must be given"},
      {"{ \"name\": \"x\",\n \"operators\": [] }", "line 2: \"operators\" must be a list that is not empty"},
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

TEST(Strategy, AnUnknownPresetNamesThoseThatExist) {
  const auto strategy = preset("buitlin");
  ASSERT_FALSE(strategy);
  EXPECT_THAT(strategy.error().message(), HasSubstr("builtin"));
}

}  // namespace
}  // namespace hone::search
