#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/search/prompt/compose.h"
#include "tool/search/prompt/reply.h"

namespace hone::search {
namespace {

using testing::HasSubstr;

const char* const kJudge =
    R"({"bottleneck": "loads", "optimisation_method": "tile", "modification_plan": "tile j by 64"})";

struct Habit {
  const char* what;
  std::string text;
};

// All say the same.
TEST(Advice, ParsesUsualFormats) {
  const Habit habits[] = {
      {"as asked", kJudge},
      {"in a fence", "```json\n" + std::string(kJudge) + "\n```\n"},
      {"with prose", "Sure, {here} it is:\n" + std::string(kJudge) + "\nGood luck!"},
      {"behind thinking", "<think>{\"bottleneck\": \"no\"}</think>\n" + std::string(kJudge)},
      {"in a list", "[" + std::string(kJudge) + "]"},
      {"wrapped", "{\"result\": " + std::string(kJudge) + "}"},
      {"other spelling",
       R"({"Bottleneck": "loads", "Optimization Method": "tile", "modification plan": "tile j by 64"})"},
      {"trailing comma",
       R"({"bottleneck": "loads", "optimisation_method": "tile", "modification_plan": "tile j by 64",})"},
      {"comments",
       "{\"bottleneck\": \"loads\", // yes\n\"optimisation_method\": \"tile\", \"modification_plan\": \"tile j by "
       "64\"}"},
      {"values as lists",
       R"({"bottleneck": ["loads"], "optimisation_method": "tile", "modification_plan": ["tile j by 64"]})"},
      {"no JSON", "**Bottleneck:** loads\n**Optimisation method:** tile\n**Modification plan:** tile j by 64\n"},
  };
  for (const Habit& habit : habits) {
    const auto advice = parse_advice(habit.text, AdviceKind::optimize);
    ASSERT_TRUE(advice) << habit.what << ": " << advice.error().why;
    EXPECT_EQ(advice->text(), "bottleneck: loads\noptimisation method: tile\nmodification plan: tile j by 64\n")
        << habit.what;
  }
}

TEST(Advice, ReportsWhatIsMissing) {
  const Habit wrongs[] = {
      {"the reply is empty", " \n"},
      {"no JSON could be read; answer with one JSON object with \"bottleneck\"", "Use tiles."},
      {"\"modification_plan\" is missing", R"({"bottleneck": "loads", "optimisation_method": "tile"})"},
      {"\"optimisation_method\" is missing", R"({"bottleneck": "loads", "optimi)"},
      {"ended before the thinking did", "<think>{"},
  };
  for (const Habit& wrong : wrongs) {
    const auto advice = parse_advice(wrong.text, AdviceKind::optimize);
    ASSERT_FALSE(advice) << wrong.text;
    EXPECT_THAT(advice.error().why, HasSubstr(wrong.what));
  }
}

TEST(Advice, ReadsProposalsWithPredictions) {
  const auto advice = parse_advice(
      R"({"proposals": [{"name": "tiles", "idea": "tile j", "predicted": "about 1.5x"}, {"idea": "unroll"}, 7]})",
      AdviceKind::proposal);
  ASSERT_TRUE(advice) << advice.error().why;
  ASSERT_EQ(advice->items.size(), 2u);
  EXPECT_EQ(advice->items[0].get("name"), "tiles");
  EXPECT_EQ(
      advice->json(),
      "[\n  {\n    \"name\": \"tiles\",\n    \"idea\": \"tile j\",\n    \"predicted\": 1.5\n  },\n  {\n    \"idea\": "
      "\"unroll\"\n  }\n]");
  EXPECT_EQ(advice_text(advice->json(), 1), "idea: unroll");
  EXPECT_THAT(advice_text(advice->json()), HasSubstr("1. idea: tile j"));
}

TEST(Advice, OfJudgeDependsOnParentVerdict) {
  EXPECT_EQ(advice_kind("judge", true), AdviceKind::optimize);
  EXPECT_EQ(advice_kind("judge", false), AdviceKind::repair);
  const auto repair = parse_advice(R"({"critical_issue": "tail", "why_it_matters": "n%8", "minimal_fix_hint": "loop"})",
                                   AdviceKind::repair);
  ASSERT_TRUE(repair);
  EXPECT_EQ(repair->items.front().get("minimal_fix_hint"), "loop");
}

TEST(Advice, AcceptsProseForPostMortem) {
  const auto advice = parse_advice("The loop was bound by memory already.\n", AdviceKind::post_mortem);
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->told(), "The loop was bound by memory already.");
}

TEST(Advice, RoundTripsTextWithThinkingTags) {
  const std::string text = R"({"action":"close </think> and </reasoning> inside","region":"all","reason":"none"})";
  const auto advice = parse_advice(text, AdviceKind::plan);
  const auto again = advice ? parse_advice(advice->json(), AdviceKind::plan) : advice;
  ASSERT_TRUE(again) << (advice ? "" : advice.error().why);
  EXPECT_EQ(again->json(), advice->json());
}

TEST(Advice, RejectsDeepAndBrokenJson) {
  for (const char* piece : {"[", "{\"a\":", "\"", "{", "\\", "{}", "[]", "//"}) {
    std::string text = "{";
    while (text.size() < 200000) text += piece;
    for (const AdviceKind kind : {AdviceKind::optimize, AdviceKind::proposal}) EXPECT_FALSE(parse_advice(text, kind));
  }
}

TEST(Advice, OpinionSaysYesOrNo) {
  for (const char* yes : {R"({"right": true, "reason": "x"})", R"({"correct": "Yes", "reason": "x"})"})
    EXPECT_TRUE(read_opinion(yes).value().right) << yes;
  const auto no = read_opinion("Well:\n```json\n{\"right\": false, \"reason\": \"the tail is left out\"}\n```");
  ASSERT_TRUE(no);
  EXPECT_FALSE(no->right);
  EXPECT_EQ(no->reason, "the tail is left out");
  for (const char* neither : {"", "It looks fine.", R"({"right": "perhaps", "reason": "x"})"})
    EXPECT_FALSE(read_opinion(neither)) << neither;
}

}  // namespace
}  // namespace hone::search
