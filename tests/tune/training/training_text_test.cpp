// What a recording becomes as training data: which exchanges, which reward, which members.
#include "tool/tune/training/training_text.h"

#include <cmath>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tool/tune/training/exchange.h"

namespace hone::tune {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Verdict failed(Stage stage) {
  Verdict verdict;
  verdict.stage = stage;
  verdict.reason = "element 3 differs";
  return verdict;
}

Verdict right(double speedup, bool faster) {
  Verdict verdict;
  verdict.stage = faster ? Stage::done : Stage::time;
  verdict.right = true;
  verdict.faster = faster;
  verdict.measurement.speedup = {speedup, speedup * 0.95, speedup * 1.05};
  verdict.measurement.problems.resize(1);
  verdict.tolerance_used = 0.25;
  return verdict;
}

Asked asked(unsigned request, const std::string& about, const std::string& operator_name = "init",
            std::optional<unsigned> advised_by = {}) {
  const std::vector<search::PromptMessage> prompt{{"system", "the rules"}, {"user", about}};
  return {request, operator_name, 0, digest_of(prompt), prompt, advised_by};
}

Replied replied(unsigned request, const std::string& text = "a reply", const std::string& model = "m") {
  Replied reply{request, text, model, 1.5, {}};
  reply.usage.input_tokens = 700;
  reply.usage.output_tokens = 300;
  return reply;
}

ToldTrial told(unsigned request, const Verdict& verdict) {
  ToldTrial trial;
  trial.request = request;
  trial.name = "way " + std::to_string(request);
  trial.verdict = verdict;
  return trial;
}

Recording recording(std::vector<Event> events) {
  Recording recording;
  recording.header.kernel = "app::blur";
  recording.header.key = "0f3c";
  recording.header.seed = 7;
  recording.header.strategy = R"({"name": "full"})";
  recording.header.written_by = "openai m";
  recording.events = std::move(events);
  return recording;
}

std::vector<json> lines_of(const Recording& recording, TrainingFormat format, double least_reward = 0) {
  std::vector<json> lines;
  std::istringstream text(training_text({recording}, format, least_reward).text);
  for (std::string line; std::getline(text, line);) lines.push_back(json::parse(line));
  return lines;
}

std::set<std::string> members(const json& line) {
  std::set<std::string> names;
  for (const auto& [name, unused] : line.items()) names.insert(name);
  return names;
}

TEST(Reward, GrowsWithStageReached) {
  EXPECT_EQ(reward_of(failed(Stage::gate)), 0);
  EXPECT_EQ(reward_of(failed(Stage::compile)), 0);
  EXPECT_EQ(reward_of(failed(Stage::verify)), 0.1);
  EXPECT_EQ(reward_of(failed(Stage::time)), 0.1) << "caught while it was timed";
  EXPECT_EQ(reward_of(right(0.5, false)), 0.3);
  EXPECT_EQ(reward_of(right(1.3, false)), 0.3) << "a gain that was not accepted is none";
  EXPECT_DOUBLE_EQ(reward_of(right(2, true)), 0.3 + std::log(2));
}

TEST(Training, ChatLineHoldsPromptReplyAndVerdict) {
  const auto lines = lines_of(recording({asked(1, "make it fast"), replied(1, "here"), told(1, right(2, true))}),
                              TrainingFormat::chat);
  ASSERT_EQ(lines.size(), 1u);
  json expected = json::parse(R"({
      "messages": [ {"role": "system", "content": "the rules"}, {"role": "user", "content": "make it fast"},
                    {"role": "assistant", "content": "here"} ],
      "verdict": { "stage": "done", "right": true, "faster": true, "reason": "", "detail": "",
                   "speedup": {"median": 2.0, "low": 1.9, "high": 2.1}, "tolerance_used": 0.25 },
      "kernel": "app::blur", "key": "0f3c", "strategy": "full", "operator": "init", "kind": "candidate",
      "name": "way 1", "model": "m", "seed": 7, "call": 1, "duplicate": false,
      "usage": {"input_tokens": 700, "output_tokens": 300} })");
  expected["reward"] = reward_of(right(2, true));
  EXPECT_EQ(lines[0], expected);
}

TEST(Training, EveryLineHasSameMembersWithoutNull) {
  ToldTrial again = told(4, right(1, false));
  again.duplicate_of = 0;
  again.verdict.measurement = {};
  const Recording mixed = recording({asked(1, "a"), replied(1), told(1, failed(Stage::gate)), asked(2, "b"), replied(2),
                                     told(2, failed(Stage::verify)), asked(3, "c"), replied(3), told(3, right(2, true)),
                                     asked(4, "d"), replied(4), again});
  for (const TrainingFormat format : {TrainingFormat::chat, TrainingFormat::prompt_completion}) {
    const auto lines = lines_of(mixed, format);
    ASSERT_EQ(lines.size(), 4u);
    for (const json& line : lines) {
      EXPECT_EQ(members(line), members(lines[0]));
      EXPECT_EQ(members(line["verdict"]), members(lines[0]["verdict"]));
      EXPECT_EQ(line.dump().find("null"), std::string::npos) << line;
      EXPECT_TRUE(line["verdict"]["speedup"]["median"].is_number_float()) << "0 and 0.0 are two types to a loader";
      EXPECT_TRUE(line["reward"].is_number_float());
    }
  }
}

TEST(Training, EachFormatHasMembersThatTrainersExpect) {
  const Recording one = recording({asked(1, "a"), replied(1, "slow"), told(1, right(1, false)), asked(2, "a"),
                                   replied(2, "fast"), told(2, right(3, true))});
  const auto kind = [](const json& line) {
    std::set<std::string> kinds;
    for (const char* name : {"messages", "prompt", "completion", "chosen", "rejected", "label"})
      if (line.contains(name)) kinds.insert(name);
    return kinds;
  };
  EXPECT_THAT(kind(lines_of(one, TrainingFormat::chat).at(0)), ElementsAre("messages"));
  EXPECT_THAT(kind(lines_of(one, TrainingFormat::prompt_completion).at(0)), ElementsAre("completion", "prompt"));
  EXPECT_THAT(kind(lines_of(one, TrainingFormat::preference).at(0)), ElementsAre("chosen", "prompt", "rejected"));
}

TEST(Training, PrefersOnlySignificantlyBetterReplies) {
  const auto pairs = [](const std::vector<Verdict>& verdicts) {
    std::vector<Event> events;
    for (unsigned i = 1; i <= verdicts.size(); ++i) {
      events.push_back(asked(i, "the same prompt"));
      events.push_back(replied(i, "reply " + std::to_string(i)));
      events.push_back(told(i, verdicts[i - 1]));
    }
    std::vector<std::string> found;
    for (const json& line : lines_of(recording(events), TrainingFormat::preference))
      found.push_back(line["chosen"][0]["content"].get<std::string>() + " over " +
                      line["rejected"][0]["content"].get<std::string>());
    return found;
  };
  EXPECT_THAT(pairs({failed(Stage::verify), right(2, true), right(1.4, true)}),
              ElementsAre("reply 2 over reply 1", "reply 2 over reply 3"));
  EXPECT_THAT(pairs({right(2, true), right(1.95, true)}), IsEmpty()) << "their intervals overlap";
  EXPECT_THAT(pairs({right(1.2, false), right(0.4, false)}), IsEmpty()) << "neither gain was accepted";
  EXPECT_THAT(pairs({failed(Stage::verify), failed(Stage::gate)}), IsEmpty()) << "nobody should learn the wrong one";
  EXPECT_THAT(pairs({right(1, false), failed(Stage::compile)}), ElementsAre("reply 1 over reply 2"));
}

TEST(Training, NeverComparesRepliesToDifferentPrompts) {
  EXPECT_THAT(lines_of(recording({asked(1, "a"), replied(1), told(1, right(2, true)), asked(2, "b"), replied(2),
                                  told(2, failed(Stage::gate))}),
                       TrainingFormat::preference),
              IsEmpty());
}

TEST(Training, RewardsAdviceByBestResult) {
  const Recording advised = recording({asked(1, "judge it", "judge"), replied(1, "it is bound by memory"),
                                       ToldAdvice{1, "{}", true}, asked(2, "write it", "coder", 1), replied(2),
                                       told(2, failed(Stage::verify)), asked(3, "write it", "coder", 1), replied(3),
                                       told(3, right(2, true)), asked(4, "and now?", "judge"), replied(4, "nothing")});
  const auto lines = lines_of(advised, TrainingFormat::chat);
  ASSERT_EQ(lines.size(), 3u) << "nothing came of the last";
  EXPECT_EQ(lines[0]["kind"], "advice");
  EXPECT_EQ(lines[0]["messages"].back()["content"], "it is bound by memory");
  EXPECT_EQ(lines[0]["reward"], lines[2]["reward"]);
  EXPECT_EQ(lines[0]["verdict"]["faster"], true);
  EXPECT_EQ(training_text({advised}, TrainingFormat::chat).unjudged, 1u);
}

TEST(Training, OmitsUnansweredAndUnjudgedCalls) {
  const TrainingText text = training_text({recording({asked(1, "a"), CallFailed{1, "timed out", {}, false},
                                                      ToldFailed{1}, asked(2, "b"), replied(2), asked(3, "c")})},
                                          TrainingFormat::chat);
  EXPECT_EQ(text.text, "");
  EXPECT_EQ(text.lines, 0u);
  EXPECT_EQ(text.unjudged, 1u);
}

TEST(Training, OmitsRepliesBelowMinimumReward) {
  const Recording mixed = recording({asked(1, "a"), replied(1), told(1, failed(Stage::gate)), asked(2, "a"), replied(2),
                                     told(2, right(1, false)), asked(3, "a"), replied(3), told(3, right(2, true))});
  EXPECT_EQ(lines_of(mixed, TrainingFormat::chat, 0.3).size(), 2u);
  EXPECT_EQ(lines_of(mixed, TrainingFormat::chat, 0.31).size(), 1u);
  EXPECT_EQ(lines_of(mixed, TrainingFormat::preference, 0.9).size(), 2u);
  EXPECT_EQ(lines_of(mixed, TrainingFormat::preference, 1.0).size(), 0u);
}

TEST(Training, NamesCommandByProgramOnly) {
  Recording by_command = recording({asked(1, "a"), replied(1, "r", ""), told(1, right(1, false))});
  by_command.header.written_by = "command:/home/me/bin/ask --header 'Authorization: sk-secret'";
  const std::string text = training_text({by_command}, TrainingFormat::chat).text;
  EXPECT_EQ(json::parse(text)["model"], "ask");
  EXPECT_EQ(text.find("secret"), std::string::npos);
  EXPECT_EQ(text.find("/home"), std::string::npos);
}

TEST(Training, ReportsValidFormatsForUnknownFormat) {
  EXPECT_THAT(parse_training_format("csv").error().message(), HasSubstr("chat, prompt-completion or preference"));
}

}  // namespace
}  // namespace hone::tune
