// A model's search that is killed and resumed, and one that is replayed.
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "model_bench.h"

namespace hone {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(ModelResume, SurvivesKillsWithoutPayingTwice) {
  // The built-in proposer first, then advice, repairs, constants: all that a run can be killed in.
  const std::vector<std::string> more{"--strategy", "auto", "--trials", "22", "--at-once", "3"};
  const ModelBench whole;
  const Ended reference = run(whole.folder(), whole.tune("40", more));
  ASSERT_EQ(reference.code, 0) << reference.err;

  const ModelBench killed;
  auto resumed = killed.tune("40", more);
  resumed.push_back("--resume");
  std::mt19937 random(20);
  std::vector<std::pair<std::size_t, std::set<std::string>>> paid;  // calls made until a kill, and what was answered
  constexpr int kills = 8;
  int while_it_ran = 0;
  const auto written = [&] { return killed.recording().size() + killed.project().journal().size(); };
  for (int kill = 0; kill < kills; ++kill) {
    // Anywhere in the run: while it starts, and after up to two dozen further lines of journal and recording.
    const std::size_t lines = written() + random() % 25;
    const auto pause = std::chrono::milliseconds(random() % 40);
    Program program(killed.folder(), resumed);
    program.run_until([&] { return written() >= lines; });
    std::this_thread::sleep_for(pause);
    program.send(SIGKILL);
    while_it_ran += program.wait().signal == SIGKILL;
    paid.emplace_back(killed.calls().size(), killed.answered());
  }
  const Ended last = run(killed.folder(), resumed);
  ASSERT_EQ(last.code, 0) << last.err;

  EXPECT_GE(while_it_ran, kills / 2) << "else this shows little";
  const auto expected = whole.course(), got = killed.course();
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], expected[i]) << "event " << i;
  EXPECT_EQ(killed.replies(), whole.replies());
  EXPECT_EQ(killed.project().read(killed.project().lock()), whole.project().read(whole.project().lock()));
  EXPECT_EQ(killed.variant_source(), whole.variant_source());
  EXPECT_EQ(killed.project().read(killed.memory_file()), whole.project().read(whole.memory_file()));
  // The last kill may have come after the lock was written; then there was nothing left to resume.
  if (kernel_of(last)["outcome"] == kernel_of(reference)["outcome"]) {
    EXPECT_EQ(kernel_of(last)["trials"], kernel_of(reference)["trials"]);
  }
  const auto calls = killed.calls();
  for (const auto& [made, answered] : paid)
    for (std::size_t i = made; i < calls.size(); ++i)
      EXPECT_FALSE(answered.contains(calls[i])) << "call " << calls[i] << " had been answered";
  EXPECT_GT(calls.size(), whole.calls().size() - 1);
}

class AnyTiming : public testing::TestWithParam<const char*> {};

TEST_P(AnyTiming, GivesSameSearchForSameSeed) {
  const ModelBench one, other;
  const std::vector<std::string> more{"--strategy", GetParam(), "--trials", "14"};
  // Whether anything is found is chance: the pretended verdicts depend on the objects that this compiler writes.
  const int code = run(one.folder(), one.tune("300 mixed one", more)).code;
  ASSERT_LE(code, 1);
  ASSERT_EQ(run(other.folder(), other.tune("300 mixed other", more)).code, code);
  ASSERT_FALSE(one.course().empty());
  EXPECT_NE(one.ended(), other.ended()) << "replies should have come in another order";
  EXPECT_EQ(one.prompts(), other.prompts());
  EXPECT_EQ(one.replies(), other.replies());
  EXPECT_EQ(one.course(), other.course());
  EXPECT_EQ(one.variant_source(), other.variant_source());
}

INSTANTIATE_TEST_SUITE_P(Model, AnyTiming, testing::Values("full", "auto", "memory", "judge"),
                         [](const auto& strategy) { return std::string(strategy.param); });

TEST(ModelReplay, RepeatsPromptsAndRejudgesCandidates) {
  const ModelBench bench;
  const Ended recorded = run(bench.folder(), bench.tune("5", {"--strategy", "full", "--trials", "8"}));
  ASSERT_EQ(recorded.code, 0) << recorded.err;
  const auto file = bench.folder() / "kept.jsonl";
  std::filesystem::copy_file(bench.recording_file(), file);
  std::vector<std::string> transcripts;
  for (const char* executor : {"local", "command:" PRETEND_WORKER}) {
    const Ended replayed = run(bench.folder(), {"tune", "-p", "build", "--proposer", "replay:" + file.string(),
                                                "--force", "--seed", "5", "--executor", executor, "--json", "-"});
    EXPECT_THAT(replayed.err, HasSubstr("written by command:")) << replayed.err;
    EXPECT_THAT(replayed.err, Not(HasSubstr("not the recorded ones")));
    EXPECT_EQ(kernel_of(replayed)["trials"]["total"], 8) << replayed.err;
    for (const auto& entry : std::filesystem::directory_iterator(bench.folder() / "build" / "hone" / "runs"))
      if (entry.path().string().ends_with("-5.replay.jsonl")) transcripts.push_back(bench.project().read(entry.path()));
    const json verdict = json::parse(bench.project().journal().front());
    EXPECT_TRUE(verdict.contains("verdict"));
  }
  ASSERT_EQ(transcripts.size(), 2u);
  EXPECT_EQ(transcripts[0], transcripts[1]) << "whatever the verdicts of the day";
  std::set<std::string> asked, replayed;
  for (const json& line : bench.recording())
    if (line.contains("ask")) asked.insert(line["digest"]);
  std::istringstream lines(transcripts[0]);
  for (std::string line; std::getline(lines, line);)
    if (const json read = json::parse(line); read.contains("ask")) replayed.insert(read["digest"]);
  EXPECT_EQ(asked, replayed);
}

TEST(ModelReplay, WarnsAboutChangedKernel) {
  const ModelBench bench;
  ASSERT_TRUE(bench.record());
  const auto file = bench.folder() / "kept.jsonl";
  std::filesystem::copy_file(bench.recording_file(), file);
  std::string source = bench.project().read(bench.folder() / "kernel.cpp");
  source.replace(source.find("float sum = 0;"), 14, "float sum = 0 * x[i];");
  bench.project().write("kernel.cpp", source);
  const Ended replayed = run(bench.folder(), {"tune", "--force", "--proposer", "replay:kept.jsonl", "--executor",
                                              "command:" PRETEND_WORKER, "--json", "-"});
  EXPECT_THAT(replayed.err, HasSubstr("another state of this kernel"));
  EXPECT_EQ(kernel_of(replayed)["trials"]["total"], 3) << replayed.err;
}

TEST(ModelReplay, RejectsForeignAndInvalidRecordings) {
  const ModelBench bench;
  ASSERT_TRUE(bench.record());
  const std::string text = bench.project().read(bench.recording_file());
  const auto complaint = [&](const std::string& recording) {
    bench.project().write("other.jsonl", recording);
    const Ended ended = run(bench.folder(), {"tune", "--force", "--seed", "9", "--proposer", "replay:other.jsonl",
                                             "--executor", "command:" PRETEND_WORKER});
    EXPECT_EQ(ended.code, 3) << ended.err;
    return ended.err + ended.out;
  };
  EXPECT_THAT(complaint("{}"), HasSubstr("the recording is empty"));
  EXPECT_THAT(complaint("int main() {}\n"), HasSubstr("no recording of a search"));
  const std::size_t second = text.find('\n') + 1;
  json header = json::parse(text.substr(0, second));
  header["kernel"] = "thrice";
  const std::string other = header.dump() + "\n" + text.substr(second);
  EXPECT_THAT(complaint(other), HasSubstr("the recording is of thrice, not of twice"));
  EXPECT_THAT(complaint(text.substr(0, second) + text.substr(text.find('\n', second) + 1)),
              testing::AnyOf(HasSubstr("asks otherwise"), HasSubstr("contradicts itself")));
  const Ended missing = run(bench.folder(), {"tune", "--force", "--proposer", "replay:nowhere.jsonl"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.out + missing.err, HasSubstr("nowhere.jsonl"));
}

}  // namespace
}  // namespace hone
