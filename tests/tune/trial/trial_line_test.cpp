// What the line does with places, whoever proposes: on stages that are a table, so that each order can be had.
#include "tool/tune/trial/trial_line.h"

#include <deque>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tune/trial/scripted_line.h"

namespace hone::tune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(TrialLineTest, TellsWhatBecameOfEachPlace) {
  EXPECT_THAT(told({"a refused", "b invalid", "c wrong", "d slow", "e fast3"}),
              ElementsAre("a refused: it may not be a candidate", "b invalid: it does not compile",
                          "c wrong: it is wrong", "d slow: right", "e fast3: right"));
  EXPECT_TRUE(outcome_.complete);
  EXPECT_EQ(outcome_.counts.total, 5u);
  EXPECT_EQ(outcome_.counts.compiled, 3u);
  EXPECT_EQ(outcome_.counts.right, 2u);
  EXPECT_EQ(outcome_.counts.faster, 1u);
  ASSERT_EQ(outcome_.accepted.size(), 1u);
  EXPECT_EQ(outcome_.accepted[0].trial, 5u);
  EXPECT_FALSE(outcome_.accepted[0].verdict.measurement.problems[0].reference_samples.empty());
}

TEST_F(TrialLineTest, NeitherCompilesWhatGateRefusesNorJudgesWhatDoesNotCompile) {
  told({"a refused", "b invalid"});
  EXPECT_THAT(stages_.compiled, ElementsAre("b invalid"));
  EXPECT_THAT(stages_.judged, IsEmpty());
}

TEST_F(TrialLineTest, WritesJournalInOrderOfTelling) {
  release_after("a fast2", "wrong");
  told({"a fast2", "b wrong", "c refused", "d fast2"});
  EXPECT_THAT(written(), ElementsAre("a fast2", "b wrong", "c refused"));
}

TEST_F(TrialLineTest, TellsInOrderOfAskingWhateverComesFirst) {
  release_after("a fast2", "fast3");
  EXPECT_THAT(told({"a fast2", "b fast3"}), ElementsAre("a fast2: right", "b fast3: right"));
  EXPECT_THAT(stages_.judged, ElementsAre("fast3", "fast2"));
}

TEST_F(TrialLineTest, ListsFastestFirst) {
  told({"a fast2", "b fast4", "c fast3"});
  std::vector<std::string> names;
  for (const Accepted& accepted : outcome_.accepted) names.push_back(accepted.candidate.name);
  EXPECT_THAT(names, ElementsAre("b fast4", "c fast3", "a fast2"));
}

TEST_F(TrialLineTest, AsksForNoMoreThanTrialsThatThereMayBe) {
  EXPECT_EQ(told({"a fast2", "b fast3", "c fast4"}, options(2)).size(), 2u);
  EXPECT_TRUE(outcome_.complete);
}

TEST_F(TrialLineTest, KeepsTwoPlacesOpenForEachJudgment) {
  TrialLine::Options many = options();
  many.bench.parallel.judgments = 5;
  TrialLine line(ports(), many, {});
  unsigned places = 0;
  for (; line.has_room(); ++places) line.open(places);
  EXPECT_EQ(places, 10u);
}

// ---- duplicates

TEST_F(TrialLineTest, JudgesSameTextOnce) {
  EXPECT_THAT(told({"a fast2", "a  /* again */ fast2", "b wrong"}),
              ElementsAre("a fast2: right", "a  /* again */ fast2 = 1", "b wrong: it is wrong"));
  EXPECT_EQ(stages_.times_judged("fast2"), 1u);
  EXPECT_EQ(outcome_.counts.total, 2u) << "a duplicate is no trial";
}

TEST_F(TrialLineTest, JudgesSameObjectOnce) {
  EXPECT_THAT(told({"a fast2", "b fast2"}), ElementsAre("a fast2: right", "b fast2 = 1"));
  EXPECT_EQ(stages_.times_judged("fast2"), 1u);
  EXPECT_THAT(written(), ElementsAre("a fast2"));
}

TEST_F(TrialLineTest, EarlierPlaceIsTrialThoughLaterOneWasJudged) {
  release_after("a fast2", "fast2");
  EXPECT_THAT(told({"a fast2", "b fast2"}), ElementsAre("a fast2: right", "b fast2 = 1"));
  EXPECT_EQ(stages_.times_judged("fast2"), 1u);
  EXPECT_THAT(written(), ElementsAre("a fast2"));
  ASSERT_EQ(outcome_.accepted.size(), 1u);
  EXPECT_EQ(outcome_.accepted[0].candidate.source, "a fast2");
}

TEST_F(TrialLineTest, FindsOriginalByTextAndByObject) {
  const std::string text = std::string(original) + " /* again */";
  EXPECT_THAT(told({text, "b original"}), ElementsAre(text + " = 0", "b original = 0"));
  EXPECT_THAT(stages_.compiled, ElementsAre("b original"));
  EXPECT_THAT(stages_.judged, IsEmpty());
}

TEST_F(TrialLineTest, JudgesDuplicatesTooIfTheyAreNotLookedFor) {
  TrialLine::Options all = options();
  all.finds_duplicates = false;
  EXPECT_THAT(told({"a fast2", "b fast2"}, all), ElementsAre("a fast2: right", "b fast2: right"));
  EXPECT_EQ(stages_.times_judged("fast2"), 2u);
}

// ---- ends

TEST_F(TrialLineTest, EndsWhereEnoughWasFound) {
  TrialLine::Options options = this->options();
  options.enough = [heard = 0u](const Verdict&) mutable {
    return ++heard == 2 ? std::optional<std::string>("two are enough") : std::nullopt;
  };
  TrialLine line(ports(), options, {});
  Script script(line, {"a fast2", "b fast3", "c fast4", "d fast5", "e fast6", "f fast7", "g fast8"});
  script.one_by_one = true;
  const SearchOutcome outcome = line.run(script);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.enough, "two are enough");
  EXPECT_EQ(outcome.counts.total, 2u);
  EXPECT_EQ(script.asked, 2u) << "nothing is asked after that";
}

TEST_F(TrialLineTest, AsksNothingWhereAnEarlierRunHadFoundEnough) {
  TrialLine::Options options = this->options();
  options.enough = [](const Verdict&) { return std::optional<std::string>("enough"); };
  TrialLine line(ports(), options, {});
  line.recall({1, {.source = "a"}, {.stage = Stage::done, .right = true, .faster = true}});
  Script script(line, {"b fast3"});
  EXPECT_TRUE(line.run(script).complete);
  EXPECT_EQ(script.asked, 0u);
}

TEST_F(TrialLineTest, EndsAtOnceIfEnvironmentFails) {
  stages_.hold("fast2");  // its judgment never ends by itself
  EXPECT_THAT(told({"a fast2", "b broken"}), IsEmpty());
  ASSERT_TRUE(outcome_.error);
  EXPECT_EQ(outcome_.error->message(), "there is no compiler");
  EXPECT_FALSE(outcome_.complete);
}

TEST_F(TrialLineTest, EndsAtOnceIfExecutorFails) {
  stages_.hold("a fast2");
  EXPECT_THAT(told({"a fast2", "b lost"}), IsEmpty());
  ASSERT_TRUE(outcome_.error);
  EXPECT_EQ(outcome_.error->message(), "there is no executor");
}

TEST_F(TrialLineTest, StopsWhatIsUnderWayWhenTimeIsUp) {
  stages_.hold("fast3");
  TrialLine line(ports(), options(), stop_.get_token());
  Script script(line, std::vector<std::string>{"a fast2", "b fast3"});
  script.after_telling = [&](unsigned) { stop_.request_stop(); };
  const SearchOutcome outcome = line.run(script);
  EXPECT_THAT(script.told, ElementsAre("a fast2: right"));
  EXPECT_TRUE(script.ended);
  EXPECT_FALSE(outcome.complete);
  EXPECT_FALSE(outcome.error) << "to be stopped is no failure";
  EXPECT_EQ(outcome.accepted.size(), 1u);
}

TEST_F(TrialLineTest, TellsNothingAfterSourceEndedIt) {
  TrialLine line(ports(), options(), {});
  Script script(line, std::vector<std::string>{"a fast2", "b fast3"});
  script.after_telling = [&](unsigned) { line.end(); };
  EXPECT_FALSE(line.run(script).complete);
  EXPECT_THAT(script.told, ElementsAre("a fast2: right"));
}

TEST_F(TrialLineTest, KeepsWhatWasJudgedAndNotTold) {
  stages_.hold("a fast2");
  TrialLine line(ports(), options(), stop_.get_token());
  Script script(line, std::vector<std::string>{"a fast2", "b fast3"});
  watch_ = std::jthread([&] {
    wait_until([&] { return stages_.times_judged("fast3") > 0; });
    line.post()([&] {
      // Behind what the judge has said, unless that is just coming.
      while (written().empty() && line.serve(std::chrono::milliseconds(20))) continue;
      stop_.request_stop();
    });
  });
  const SearchOutcome outcome = line.run(script);
  EXPECT_THAT(script.told, IsEmpty());
  EXPECT_THAT(written(), ElementsAre("b fast3"));
  ASSERT_EQ(outcome.accepted.size(), 1u);
  EXPECT_EQ(outcome.accepted[0].candidate.name, "b fast3");
  EXPECT_EQ(outcome.accepted[0].trial, untold_trial);
  EXPECT_EQ(outcome.counts.total, 1u);
}

// ---- journal

TEST_F(TrialLineTest, TakesVerdictFromJournal) {
  told({"a fast2", "b wrong", "c invalid"});
  stages_.judged.clear();
  stages_.compiled.clear();
  reopen();
  TrialLine::Options watched = options();
  std::vector<double> seconds;
  watched.judged = [&](double judged, const Verdict&) { seconds.push_back(judged); };
  watched.bench.profile = [](const Candidate& candidate, const Verdict&) { return "profile of " + candidate.name; };
  TrialLine line(ports(), watched, {});
  Script script(line, std::vector<std::string>{"a fast2", "b wrong", "c invalid"});
  line.run(script);
  EXPECT_THAT(script.told, ElementsAre("a fast2: right", "b wrong: it is wrong", "c invalid: it does not compile"));
  EXPECT_THAT(stages_.compiled, IsEmpty());
  EXPECT_TRUE(listener_.trials.back().replayed);
  EXPECT_EQ(seconds.at(0), 0.5) << "the winner's own measurement will take as long as it did then";
  EXPECT_EQ(script.results[0].profile, "profile of a fast2") << "the run that judged it has forgotten that";
  EXPECT_EQ(written().size(), 3u) << "no line twice";
}

TEST_F(TrialLineTest, FindsDuplicatesByObjectsOfJournal) {
  told({"a fast2"});
  reopen();
  EXPECT_THAT(told({"a fast2", "b fast2"}), ElementsAre("a fast2: right", "b fast2 = 1"));
  EXPECT_EQ(stages_.times_judged("fast2"), 1u);
}

TEST_F(TrialLineTest, RunThatWasStoppedGoesOnAsIfItHadNotBeen) {
  const std::vector<std::string> sources{"a fast2", "b wrong", "a fast2", "c fast3", "d fast3", "e refused", "f fast4"};
  const auto whole = told(sources);
  const auto lines = written();
  for (const unsigned kill : {0u, 1u, 3u}) {
    std::filesystem::remove(file());
    reopen();
    std::stop_source stop;
    TrialLine line(ports(), options(), stop.get_token());
    Script script(line, sources);
    script.after_telling = [&](unsigned place) { kill == place&& stop.request_stop(); };
    line.run(script);
    reopen();
    EXPECT_EQ(told(sources), whole) << "stopped after " << kill;
    auto resumed = written();
    std::ranges::sort(resumed);
    auto expected = lines;
    std::ranges::sort(expected);
    EXPECT_EQ(resumed, expected) << "stopped after " << kill;
  }
}

// ---- what is no candidate

TEST_F(TrialLineTest, TellsPassedPlaceInItsTurn) {
  release_after("a fast2", "fast3");
  TrialLine line(ports(), options(), {});
  Script script(line, std::vector<std::string>{"a fast2", "advice", "b fast3"});
  script.submit = [&](unsigned place, Proposal proposal) {
    if (place == 1) return line.pass(place);
    line.submit(place, {std::move(proposal)});
  };
  line.run(script);
  EXPECT_THAT(script.told, ElementsAre("a fast2: right", "passed", "b fast3: right"));
}

TEST_F(TrialLineTest, TellsPlacesBehindOverdueOneFirst) {
  TrialLine line(ports(), options(), {});
  Script script(line, std::vector<std::string>{"a fast2", "b fast3"});
  script.overdue = 0;
  script.submit = [&](unsigned place, Proposal proposal) {
    if (place != 0) line.submit(place, {std::move(proposal)});
  };
  script.after_telling = [&](unsigned place) {
    if (place == 1) line.submit(0, {text("a fast2")});
  };
  line.run(script);
  EXPECT_THAT(script.places, ElementsAre(1, 0));
}

TEST_F(TrialLineTest, ForgetsPlaceThatIsWithdrawn) {
  TrialLine line(ports(), options(), {});
  Script script(line, std::vector<std::string>{"a fast2", "b fast3"});
  script.submit = [&](unsigned place, Proposal proposal) {
    if (place == 0) return line.withdraw(place);
    line.submit(place, {std::move(proposal)});
  };
  EXPECT_TRUE(line.run(script).complete);
  EXPECT_THAT(script.places, ElementsAre(1));
}

TEST_F(TrialLineTest, CountsReplyWithoutCodeAsTrialOnce) {
  TrialLine line(ports(), options(), {});
  Script script(line, std::vector<std::string>{"first", "second"});
  script.submit = [&](unsigned place, Proposal) {
    Proposal none;
    none.candidate.name = "without code";
    Verdict verdict;
    verdict.reason = "no code block";
    line.settle(place, {std::move(none)}, {.program = "digest of the reply", .verdict = std::move(verdict)});
  };
  EXPECT_EQ(line.run(script).counts.total, 1u);
  EXPECT_THAT(script.told, ElementsAre("without code: no code block", "without code = 1"));
  EXPECT_THAT(written(), IsEmpty()) << "there is no program whose verdict it were";
}

// ---- long looks

TEST_F(TrialLineTest, TakesNoLongLookOnceSomethingIsAccepted) {
  TrialLine::Options one = options();
  one.bench.parallel.judgments = 1;
  one.bench.limits.longest_look = 8;
  TrialLine line(ports(), one, {});
  Script script(line, std::vector<std::string>{"a fast2", "b slow"});
  script.one_by_one = true;
  line.run(script);
  EXPECT_EQ(stages_.looks.at("fast2"), 8);
  EXPECT_EQ(stages_.looks.at("slow"), 2);
}

// ---- timing

TEST_F(TrialLineTest, TellsSameWhateverTheTiming) {
  const std::vector<std::string> sources{"a fast2", "b fast2",   "c wrong", "d fast3", "e fast3",
                                         "f wrong", "g refused", "h slow",  "a fast2", "i fast5"};
  const auto expected = told(sources);
  for (const char* held : {"a fast2", "b fast2", "d fast3", "fast3", "slow", "c wrong"}) {
    std::filesystem::remove(file());
    reopen();
    stages_.hold(held);
    watch_ = std::jthread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      stages_.release(held);
    });
    EXPECT_EQ(told(sources), expected) << held;
    watch_.join();
  }
}

}  // namespace
}  // namespace hone::tune
