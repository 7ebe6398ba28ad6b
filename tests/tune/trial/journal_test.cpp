#include "tool/tune/trial/journal.h"

#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::tune {
namespace {

class JournalTest : public testing::Test {
 protected:
  os::TemporaryFolder folder_ = *os::TemporaryFolder::create("hone-journal");
  std::filesystem::path file_ = folder_.path() / "runs" / "key-1.jsonl";
  RunIdentity run_{"key", 1, "builtin", "g++ 12"};

  using Start = Journal::Start;
  Journal open(Start start) { return open(start, run_); }
  Journal open(Start start, const RunIdentity& run) {
    auto journal = Journal::open(file_, run, start, {}, [this](const std::string& line) { said_ += line + "\n"; });
    EXPECT_TRUE(journal) << journal.error().message();
    return std::move(*journal);
  }

  std::string said_;

  static Verdict verdict(const std::string& reason) {
    Verdict verdict;
    verdict.stage = Stage::verify;
    verdict.reason = reason;
    verdict.seconds = 0.25;
    return verdict;
  }
};

TEST_F(JournalTest, ReplaysAppendedVerdicts) {
  {
    Journal journal = open(Start::anew);
    ASSERT_TRUE(journal.append("f1", "tile(64)", "s1", "o", verdict("wrong at x[3], by far")));
    ASSERT_TRUE(journal.append("f2", "simd", "s2", "o", verdict("")));
  }
  const Journal again = open(Start::go_on);
  EXPECT_EQ(again.replayable(), 2u);
  ASSERT_NE(again.find("f1"), nullptr);
  EXPECT_EQ(again.find("f1")->verdict.reason, "wrong at x[3], by far");
  EXPECT_EQ(again.find("f1")->verdict.stage, Stage::verify);
  EXPECT_EQ(again.find("f1")->object, "o");
  EXPECT_EQ(again.find("f3"), nullptr);
}

TEST_F(JournalTest, StartsEmptyIfAskedTo) {
  ASSERT_TRUE(open(Start::anew).append("f1", "a", "s", "o", verdict("")));
  EXPECT_EQ(open(Start::anew).replayable(), 0u);
  EXPECT_EQ(open(Start::go_on).replayable(), 0u) << "the old lines are gone";
}

TEST_F(JournalTest, GoesOnUnlessRunIsDone) {
  ASSERT_TRUE(open(Start::anew).append("f1", "a", "s", "o", verdict("")));
  EXPECT_EQ(open(Start::unless_done).replayable(), 1u) << "the run was killed";
  ASSERT_TRUE(open(Start::unless_done).finish());
  EXPECT_EQ(open(Start::go_on).replayable(), 1u);
  EXPECT_EQ(said_, "");
  const Journal anew = open(Start::unless_done);
  EXPECT_FALSE(anew.goes_on());
  EXPECT_EQ(anew.replayable(), 0u);
}

TEST_F(JournalTest, IsSetAsideForAnotherCompiler) {
  ASSERT_TRUE(open(Start::anew).append("f1", "a", "s", "o", verdict("")));
  const std::string before = os::read_file(file_).value();
  RunIdentity other = run_;
  other.compiler = "g++ 13";
  EXPECT_EQ(open(Start::unless_done, other).replayable(), 0u);
  EXPECT_THAT(said_, testing::HasSubstr("it was judged with another compiler (\"g++ 12\"); it is set aside as "));
  EXPECT_EQ(os::read_file(file_.string() + ".aside"), before);
}

TEST_F(JournalTest, IsSetAsideIfFirstLineIsDamaged) {
  ASSERT_TRUE(open(Start::anew).append("f1", "a", "s", "o", verdict("")));
  std::string text = os::read_file(file_).value();
  text[3] = '}';
  ASSERT_TRUE(os::write_file_atomically(file_, text));
  EXPECT_FALSE(open(Start::unless_done).goes_on());
  EXPECT_THAT(said_, testing::HasSubstr("its first line is damaged; it is set aside as "));
  EXPECT_EQ(os::read_file(file_.string() + ".aside"), text);
}

TEST_F(JournalTest, IsReplayedForAnotherStrategy) {
  ASSERT_TRUE(open(Start::anew).append("f1", "a", "s", "o", verdict("")));
  RunIdentity other = run_;
  other.strategy = "auto";
  EXPECT_EQ(open(Start::go_on, other).replayable(), 1u);
}

// Another Hone's gate may answer otherwise, and asking costs little.
TEST_F(JournalTest, ForgetsWhatTheGateRefused) {
  {
    Journal journal = open(Start::anew);
    Verdict refused = verdict("not allowed");
    refused.stage = Stage::gate;
    ASSERT_TRUE(journal.append("f1", "a", "s", "", refused));
    ASSERT_TRUE(journal.append("f2", "b", "s", "o", verdict("wrong")));
  }
  const Journal again = open(Start::go_on);
  EXPECT_EQ(again.find("f1"), nullptr);
  EXPECT_NE(again.find("f2"), nullptr);
  EXPECT_EQ(said_, "");
}

TEST_F(JournalTest, DropsTornLastLineAndContinues) {
  {
    Journal journal = open(Start::anew);
    ASSERT_TRUE(journal.append("f1", "a", "s", "o", verdict("first")));
    ASSERT_TRUE(journal.append("f2", "b", "s", "o", verdict("second")));
  }
  const auto size = std::filesystem::file_size(file_);
  std::filesystem::resize_file(file_, size - 10);
  {
    Journal journal = open(Start::go_on);
    EXPECT_NE(journal.find("f1"), nullptr);
    EXPECT_EQ(journal.find("f2"), nullptr);
    ASSERT_TRUE(journal.append("f3", "c", "s", "o", verdict("third")));
  }
  const Journal again = open(Start::go_on);
  EXPECT_EQ(again.replayable(), 2u);
  EXPECT_NE(again.find("f3"), nullptr);
}

TEST_F(JournalTest, SkipsNonsenseLines) {
  {
    Journal journal = open(Start::anew);
    ASSERT_TRUE(journal.append("f1", "a", "s", "o", verdict("")));
    std::ofstream(file_, std::ios::app) << "{\"fingerprint\": 3}\nnot json\n{\"fingerprint\":\"f2\",\"verdict\":{}}\n";
    ASSERT_TRUE(journal.append("f3", "a", "s", "o", verdict("")));
  }
  const Journal again = open(Start::go_on);
  EXPECT_NE(again.find("f1"), nullptr);
  EXPECT_NE(again.find("f3"), nullptr);
  EXPECT_THAT(said_, testing::HasSubstr("3 lines of the journal "));
}

TEST_F(JournalTest, MakesSecondProcessWaitAndNamesTheFirst) {
  auto first = std::make_optional(open(Start::anew));
  std::string said;
  std::optional<Result<Journal>> second;
  std::thread thread([&] {
    second.emplace(Journal::open(file_, run_, Journal::Start::go_on, {}, [&](const std::string& line) {
      said = line;
      first.reset();
    }));
  });
  thread.join();
  ASSERT_TRUE(*second);
  EXPECT_TRUE((*second)->waited());
  EXPECT_THAT(said, testing::HasSubstr("process " + std::to_string(getpid())));
}

TEST_F(JournalTest, StopsWaitingWhenAsked) {
  const Journal first = open(Start::anew);
  std::stop_source stop;
  const auto second = Journal::open(file_, run_, Journal::Start::go_on, stop.get_token(),
                                    [&](const std::string&) { stop.request_stop(); });
  EXPECT_FALSE(second);
}

}  // namespace
}  // namespace hone::tune
