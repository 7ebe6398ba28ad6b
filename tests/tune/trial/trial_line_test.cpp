// What the line does with places, whoever proposes: on stages that are a table, so that each order can be had.
#include "tool/tune/trial/trial_line.h"

#include <deque>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tune/trial/line_bench.h"
#include "tool/tune/trial/proposal.h"
#include "tool/tune/trial/search_outcome.h"
#include "tool/tune/trial/trial_source.h"

namespace hone::tune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Proposal text(const std::string& source) {
  Proposal proposal;
  proposal.written = proposal.candidate.source = proposal.candidate.name = source;
  return proposal;
}

// With a constant to choose: the object is "fastN", so that the choice of N is how fast it is.
Proposal tunable(const std::string& name, const std::string& values) {
  Proposal proposal;
  proposal.written = name + " HONE_TUNABLE(N, " + values + ");";
  proposal.tunables = search::find_tunables(proposal.written).value();
  proposal.title = name;
  proposal.candidate = proposal.unchosen();
  return proposal;
}

// Submits what it was given, a place for each, as long as the line has room.
class Script : public TrialSource {
 public:
  Script(TrialLine& line, std::vector<Proposal> proposals) : line_(line), proposals_(std::move(proposals)) {}
  Script(TrialLine& line, const std::vector<std::string>& sources) : line_(line) {
    for (const std::string& source : sources) proposals_.push_back(text(source));
  }

  void ask() override {
    for (; asked < proposals_.size() && line_.has_room() && (!one_by_one || line_.open_places() == 0); ++asked) {
      line_.open(asked);
      submit(asked, proposals_[asked]);
    }
  }
  bool finished() const override {
    return line_.open_places() == 0 && (!one_by_one || line_.has_enough() || asked == proposals_.size());
  }
  Result<unsigned> tell(unsigned place, const TrialResult& result) override {
    places.push_back(place);
    told.push_back(result.proposal.candidate.name +
                   (result.duplicate_of ? " = " + std::to_string(*result.duplicate_of)
                                        : ": " + (result.verdict.right ? "right" : result.verdict.reason)));
    results.push_back(result);
    if (result.verdict.right && result.verdict.faster)
      best_ = std::max(best_.value_or(1), result.verdict.measurement.speedup.median);
    after_telling(place);
    return result.duplicate_of ? 0 : ++trials_;
  }
  void passed(unsigned place) override {
    places.push_back(place);
    told.push_back("passed");
  }
  std::optional<double> best() const override { return best_; }
  bool is_overdue(unsigned place) const override { return overdue == place; }
  void end() override { ended = true; }

  std::function<void(unsigned, Proposal)> submit = [this](unsigned place, Proposal proposal) {
    line_.submit(place, {std::move(proposal)});
  };
  std::function<void(unsigned)> after_telling = [](unsigned) {};
  std::optional<unsigned> overdue;
  bool one_by_one = false;  // each once the one before was told
  unsigned asked = 0;
  bool ended = false;
  std::vector<unsigned> places;
  std::vector<std::string> told;
  std::vector<TrialResult> results;

 private:
  TrialLine& line_;
  std::vector<Proposal> proposals_;
  std::optional<double> best_;
  unsigned trials_ = 0;
};

class TrialLineTest : public LineBench {
 protected:
  // Runs the line on these texts.
  std::vector<std::string> told(const std::vector<std::string>& sources) { return told(sources, options()); }
  std::vector<std::string> told(const std::vector<std::string>& sources, TrialLine::Options options) {
    TrialLine line(ports(), std::move(options), stop_.get_token());
    Script script(line, sources);
    outcome_ = line.run(script);
    return script.told;
  }

  // Lets go of `held` once `object` was judged.
  void release_after(const std::string& held, const std::string& object) {
    stages_.hold(held);
    watch_ = std::jthread([this, held, object] {
      wait_until([&] { return stages_.times_judged(object) > 0; });
      stages_.release(held);
    });
  }

  SearchOutcome outcome_;
  std::jthread watch_;
};

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

// ---- constants

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
