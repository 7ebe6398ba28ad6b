// A recording is a file that people copy, cut and edit: what does not fit is an error or is left out, and nothing of it
// is taken on trust.
#include "tool/tune/model/recording.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/llm/token_estimate.h"
#include "tool/os/files/files.h"
#include "tool/tune/model/replay.h"
#include "tool/tune/model/run_header.h"

namespace hone::tune {
namespace {

using testing::HasSubstr;

const std::string header = R"({"recording":1,"kernel":"k","key":"x","seed":1,"facts":{"threads":2},"seeds":[],)"
                           R"("strategy":{"name":"s","proposer":"model","population":"single",)"
                           R"("operators":[{"name":"mutation","ingredients":["task"]}]}})";
const std::string ask = "{\"ask\":1,\"operator\":\"mutation\",\"prompt\":[]}\n";
const std::string reply = "{\"reply\":1,\"text\":\"void f() {}\"}\n";

std::string with(std::string text, const std::string& what, const std::string& instead) {
  return text.replace(text.find(what), what.size(), instead);
}

std::string error_of(const std::string& text) {
  const auto recording = Recording::parse(text, "a.jsonl");
  if (!recording) return recording.error().message();
  const auto search = search_of(recording->header);
  if (!search) return search.error().message();
  Dialogue dialogue(**search, recording->header.facts, {});
  const auto played = play(*recording, dialogue);
  return played ? "" : played.error().message();
}

TEST(Recording, SurvivesRoundTrip) {
  const auto recording = Recording::parse(header + "\n" + ask + reply, "a.jsonl");
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->header.facts.threads, 2u);
  ASSERT_EQ(recording->events.size(), 2u);
  std::string text = line_of(recording->header) + "\n";
  for (const Event& event : recording->events) text += line_of(event) + "\n";
  const auto again = Recording::parse(text, "a.jsonl");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->header, recording->header);
  EXPECT_EQ(line_of(again->events[1]), line_of(recording->events[1]));
  EXPECT_EQ(error_of(text), "");
}

TEST(Recording, SkipsTornLine) {
  const auto recording = Recording::parse(header + "\n" + ask + reply.substr(0, 20), "a.jsonl");
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->events.size(), 1u);
}

TEST(Recording, RejectsCountsThatAreNotWholeNumbers) {
  for (const char* number : {"-1", "1.5", "1e30", "4294967296", "\"1\""})
    EXPECT_EQ(Recording::parse(header + "\n" + with(ask, "1", number), "a.jsonl")->events.size(), 0u) << number;
  for (const char* threads : {"-2", "2.5", "\"2\""})
    EXPECT_THAT(error_of(with(header, "\"threads\":2", fmt::format("\"threads\":{}", threads)) + "\n"),
                HasSubstr("a.jsonl:1: this is no recording of a search"));
  EXPECT_THAT(error_of(with(header, "\"seed\":1", "\"seed\":1,\"models\":4000000000") + "\n"), HasSubstr("a.jsonl:1"));
}

TEST(Recording, RejectsExcessiveNesting) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_THAT(error_of(with(header, "\"seed\":1", "\"seed\":1,\"more\":" + deep) + "\n"), HasSubstr("a.jsonl:1"));
}

TEST(Recording, RejectsAnswerOfUnrequestedKind) {
  EXPECT_THAT(error_of(header + "\n" + ask + reply + R"({"told":1,"as":"advice","text":"x","ok":true})" + "\n"),
              HasSubstr("the recording contradicts itself (at request 1)"));
}

// Their strategies name no generation, so that this version asks as the one did that recorded them.
TEST(Recording, ThoseOfTheExamplesPlay) {
  unsigned recordings = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(RECORDINGS)) {
    if (!entry.is_regular_file()) continue;
    ++recordings;
    EXPECT_EQ(error_of(os::read_file(entry.path()).value()), "") << entry.path();
  }
  EXPECT_GE(recordings, 30u);
}

// What an opinion of each recorded candidate would ask, and how many there were to doubt: docs/BENCHMARKS.md has the
// figures (--gtest_output=json). They are judged already, so that nobody needs to be asked.
TEST(Recording, OpinionsOfRecordedCandidatesTakeFewerTokensThanTheirQuestions) {
  std::uint64_t opinions = 0, questions = 0;
  unsigned candidates = 0, wrong = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(RECORDINGS)) {
    if (!entry.is_regular_file()) continue;
    const Recording recording = Recording::read(entry.path()).value();
    const auto search = search_of(recording.header).value();
    Dialogue dialogue(*search, recording.header.facts, {});
    const Played played = play(recording, dialogue).value();
    for (const Asked& asked : played.asked) {
      const auto trial =
          std::ranges::find(played.trials, asked.request, [](const ScriptedTrial& one) { return one.told.request; });
      if (trial == played.trials.end() || trial->proposal.written.empty()) continue;
      const auto prompt = dialogue.opinion_prompt(trial->proposal.candidate);
      ASSERT_TRUE(prompt) << entry.path();
      for (const auto& message : *prompt) opinions += llm::estimate_tokens(message.text);
      for (const auto& message : asked.prompt) questions += llm::estimate_tokens(message.text);
      ++candidates;
      wrong += !trial->told.verdict.right;
    }
  }
  RecordProperty("candidates", fmt::format("{}, {} of them wrong", candidates, wrong));
  RecordProperty("tokens", fmt::format("{} for opinions, {} for questions", opinions, questions));
  EXPECT_GE(candidates, 190u);
  EXPECT_LT(opinions, questions);
}

TEST(Recording, RejectsStrategyThatAsksNoModel) {
  EXPECT_THAT(error_of(with(with(header, R"("proposer":"model",)", ""), R"(,"ingredients":["task"])", "") + "\n"),
              HasSubstr("the recorded strategy 's' asks no model"));
}

TEST(EarlierRun, GoesOnOnlyWithSameStrategyAndAsManyModels) {
  const auto folder = os::TemporaryFolder::create("hone-earlier").value();
  const auto file = recording_file(folder.path(), "key", 3);
  EXPECT_EQ(file, folder.path() / "hone" / "runs" / "key-3.calls.jsonl");
  project::Settings settings;
  settings.models.models.resize(1);
  settings.strategy_text = R"({ "operators": [{"ingredients": ["task"], "name": "mutation"}], "population": "single",
                                "proposer": "model", "name": "s" })";
  EXPECT_FALSE(earlier_run(file, settings)) << "there is none";
  ASSERT_TRUE(os::write_file_atomically(file, header + "\n" + ask));
  const auto earlier = earlier_run(file, settings);
  ASSERT_TRUE(earlier) << "layout and order are no difference";
  EXPECT_EQ(earlier->events.size(), 1u);
  settings.models.models.resize(2);
  EXPECT_FALSE(earlier_run(file, settings));
  settings.models.models.resize(1);
  settings.strategy_text = with(settings.strategy_text, "single", "elite");
  EXPECT_FALSE(earlier_run(file, settings));
}

TEST(Recording, KeepsPairsThatPromptsShow) {
  auto recording = Recording::parse(header + "\n", "a.jsonl");
  ASSERT_TRUE(recording);
  EXPECT_EQ(line_of(recording->header).find("pairs"), std::string::npos) << "of a run without any";
  recording->header.pairs = {{"blur", "key", "c++17", "slow();", "fast();", "rows at once", 2.5}};
  const auto again = Recording::parse(line_of(recording->header) + "\n", "a.jsonl");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->header.pairs, recording->header.pairs);
}

TEST(Recording, RejectsOpinionOfWhatWasNotAnswered) {
  const std::string opinion = R"({"opinion":1,"digest":"x","prompt":[]})"
                              "\n";
  const std::string opined = R"({"opined":1,"text":"{}"})"
                             "\n";
  EXPECT_THAT(error_of(header + "\n" + ask + opinion), HasSubstr("the recording contradicts itself (at request 1)"));
  EXPECT_THAT(error_of(header + "\n" + ask + opined), HasSubstr("the recording contradicts itself (at request 1)"));
  EXPECT_THAT(error_of(header + "\n" + opined), HasSubstr("the recording contradicts itself (at request 1)"));
  EXPECT_EQ(error_of(header + "\n" + ask + reply + opinion + opined), "");
  EXPECT_EQ(error_of(header + "\n" + ask + reply + R"({"opined":-1,"text":"{}"})" + "\n"), "") << "left out";
}

}  // namespace
}  // namespace hone::tune
