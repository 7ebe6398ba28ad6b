// The constants of a candidate that a trial line chooses.
#include "tool/tune/trial/trial_line.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tune/trial/scripted_line.h"

namespace hone::tune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(TrialLineTest, TellsBestChoiceOfConstants) {
  TrialLine line(ports(), options(), {});
  Script script(line, std::vector<Proposal>{tunable("a", "fast2, fast4, fast3")});
  const SearchOutcome outcome = line.run(script);
  ASSERT_EQ(script.told, std::vector<std::string>{"a N=fast4: right"});
  EXPECT_THAT(script.results[0].choice, ElementsAre(1));
  EXPECT_EQ(outcome.accepted.at(0).verdict.measurement.speedup.median, 4);
}

TEST_F(TrialLineTest, JudgesDefaultChoiceByItsOwnObject) {
  TrialLine line(ports(), options(), {});
  Proposal recorded = tunable("a", "fast2, fast4");
  recorded.candidate = recorded.chosen({1});  // as a recording has it
  Script script(line, std::vector<Proposal>{recorded});
  line.run(script);
  for (const double speedup : {2, 4}) {
    const std::string object = FakeStages::object_of(recorded.chosen({speedup == 4 ? 1u : 0u}).source);
    EXPECT_EQ(stages_.times_judged(object), 1u) << object;
  }
}

TEST_F(TrialLineTest, DefaultChoicesGoBeforeOthers) {
  TrialLine::Options one_judgment = options();
  one_judgment.bench.parallel = {.compiles = 1, .judgments = 1};
  const Proposal first = tunable("a", "fast2, fast3"), second = tunable("b", "fast4, fast5");
  const std::string other_choice = first.chosen({1}).source;
  release_after(other_choice, FakeStages::object_of(second.candidate.source));
  TrialLine line(ports(), one_judgment, {});
  Script script(line, std::vector<Proposal>{first, second});
  line.run(script);
  EXPECT_THAT(script.told, ElementsAre("a N=fast3: right", "b N=fast5: right"));
  EXPECT_EQ(stages_.judged[1], FakeStages::object_of(second.candidate.source));
}

TEST_F(TrialLineTest, SlowCandidateGetsNoOtherChoice) {
  TrialLine line(ports(), options(), {});
  Script script(line, std::vector<Proposal>{tunable("a", "fast8, fast9"), tunable("b", "fast4, fast90")});
  script.one_by_one = true;
  line.run(script);
  EXPECT_THAT(script.told, ElementsAre("a N=fast9: right", "b N=fast4: right"));
}

TEST_F(TrialLineTest, StopKeepsBestChoiceJudgedBefore) {
  TrialLine::Options one_judgment = options();
  one_judgment.bench.parallel = {.compiles = 1, .judgments = 1};
  const Proposal proposal = tunable("a", "fast2, fast4, fast9");
  stages_.hold(proposal.chosen({2}).source);
  watch_ = std::jthread([&] {
    wait_until([&] { return stages_.compiled_so_far() == 3; });
    stop_.request_stop();
  });
  TrialLine line(ports(), one_judgment, stop_.get_token());
  Script script(line, std::vector<Proposal>{proposal});
  const SearchOutcome outcome = line.run(script);
  ASSERT_EQ(outcome.accepted.size(), 1u);
  EXPECT_EQ(outcome.accepted[0].candidate.name, "a N=fast4");
  EXPECT_THAT(written(), ElementsAre("a N=fast4"));
}

TEST_F(TrialLineTest, StopKeepsDefaultChoiceThatWaitsForOthers) {
  TrialLine::Options one_judgment = options();
  one_judgment.bench.parallel = {.compiles = 1, .judgments = 1};
  const Proposal first = tunable("a", "fast2, fast3"), second = tunable("b", "fast4, fast9");
  stages_.hold(first.chosen({1}).source);
  TrialLine line(ports(), one_judgment, stop_.get_token());
  Script script(line, std::vector<Proposal>{first, second, text("c fast5")});
  watch_ = std::jthread([&] {  // one thread judges: the second's verdict is there before the third is judged
    wait_until([&] { return stages_.times_judged("fast5") > 0; });
    stop_.request_stop();
  });
  const SearchOutcome outcome = line.run(script);
  std::vector<std::string> names;
  for (const Accepted& one : outcome.accepted) names.push_back(one.candidate.name);
  EXPECT_THAT(names, testing::IsSupersetOf({"a N=fast2", "b N=fast4"}));
}

TEST_F(TrialLineTest, JournalHasObjectOfBestChoice) {
  {
    TrialLine line(ports(), options(), {});
    Script script(line, std::vector<Proposal>{tunable("a", "slow, fast4")});
    line.run(script);
  }
  reopen();
  // The default choice's object is another program's.
  const std::string slow = tunable("b", "slow, fast4").candidate.source;
  const std::string fast = tunable("a", "slow, fast4").chosen({1}).source;
  EXPECT_THAT(told({fast, slow}), ElementsAre(fast + ": right", slow + ": right"));
}

TEST_F(TrialLineTest, DuplicateIsToldAsSubmittedWhicheverWasJudged) {
  const Proposal first = tunable("a", "fast2, fast4");
  for (const bool later_comes_first : {false, true}) {
    std::filesystem::remove(file());
    reopen();
    TrialLine line(ports(), options(), {});
    Script script(line, std::vector<Proposal>{first, first});
    std::optional<Proposal> kept;
    if (later_comes_first) {
      script.submit = [&](unsigned place, Proposal proposal) {
        if (place == 1) line.submit(place, {std::move(proposal)});
      };
      watch_ = std::jthread([&] {
        wait_until([&] { return stages_.judgments_begun() > 0; });
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        line.post()([&] { line.submit(0, {first}); });
      });
    }
    line.run(script);
    EXPECT_THAT(script.told, ElementsAre("a N=fast4: right", "a = 1")) << later_comes_first;
    EXPECT_THAT(script.results[1].choice, IsEmpty());
    EXPECT_EQ(script.results[1].fingerprint, "");
    EXPECT_THAT(written(), ElementsAre("a N=fast4"));
    stages_.judged.clear();
  }
}

}  // namespace
}  // namespace hone::tune
