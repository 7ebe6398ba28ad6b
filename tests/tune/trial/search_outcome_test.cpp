#include "tool/tune/trial/search_outcome.h"

#include <gtest/gtest.h>

#include "tool/tune/trial/proposal.h"
#include "tool/tune/trial/trial_bench.h"

namespace hone::tune {
namespace {

Verdict verdict(Stage stage, double speedup = 0) {
  Verdict verdict;
  verdict.stage = stage;
  verdict.right = stage == Stage::done;
  verdict.faster = speedup > 1;
  verdict.measurement.speedup.median = speedup;
  return verdict;
}

TEST(SearchOutcome, CountsHowFarEachTrialCame) {
  SearchOutcome outcome;
  outcome.count(verdict(Stage::gate));
  outcome.count(verdict(Stage::compile));
  outcome.count(verdict(Stage::verify));
  outcome.count(verdict(Stage::done, 0.5));
  outcome.count(verdict(Stage::done, 2));
  EXPECT_EQ(outcome.counts.total, 5u);
  EXPECT_EQ(outcome.counts.compiled, 3u);
  EXPECT_EQ(outcome.counts.right, 2u);
  EXPECT_EQ(outcome.counts.faster, 1u);
}

Accepted on_two_problems(double first, double second) {
  Accepted trial;
  trial.verdict = verdict(Stage::done, 0.9);
  for (const double median : {first, second})
    trial.verdict.measurement.problems.push_back({.speedup = {median, median, median}});
  return trial;
}

TEST(SearchOutcome, KeepsMixedCandidateThatPromisesMost) {
  SearchOutcome outcome;
  outcome.keep(on_two_problems(0.5, 1.01));
  EXPECT_FALSE(outcome.mixed) << "next to nothing";
  Accepted with_choice = on_two_problems(0.5, 9);
  with_choice.candidate.behind_choice = "it has a choice already";
  outcome.keep(with_choice);
  Accepted wrong = on_two_problems(0.5, 9);
  wrong.verdict.right = false;
  outcome.keep(wrong);
  EXPECT_FALSE(outcome.mixed);
  for (const double gain : {4.0, 9.0, 2.0}) outcome.keep(on_two_problems(0.5, gain));
  ASSERT_TRUE(outcome.mixed);
  EXPECT_EQ(outcome.mixed->verdict.measurement.problems[1].speedup.median, 9);
  EXPECT_TRUE(outcome.accepted.empty());
}

Verdict refused(Stage stage, const std::string& reason) {
  Verdict refused = verdict(stage);
  refused.right = false;
  refused.reason = reason;
  return refused;
}

TEST(Setbacks, TellCommonestKindAndReasonFirst) {
  Setbacks setbacks;
  EXPECT_EQ(setbacks.text(), "");
  setbacks.add(verdict(Stage::done, 2), true);
  EXPECT_EQ(setbacks.text(), "") << "what is right is none";
  setbacks.add(refused(Stage::verify, "y[7] is 3 on n=5"), true);
  setbacks.add(refused(Stage::verify, "it crashed"), true);
  setbacks.add(refused(Stage::verify, "y[12] is -0.5 on n=515"), true);
  setbacks.add(refused(Stage::gate, "'system' is not allowed"), true);
  setbacks.add(refused(Stage::gate, "there is no code in the reply"), false);
  setbacks.add(Setbacks::Kind::duplicate);
  setbacks.add(Setbacks::Kind::duplicate);
  EXPECT_EQ(setbacks.text(),
            "3 wrong (most often: y[7] is 3 on n=5), 2 the same as an earlier one, 1 not allowed ('system' is not "
            "allowed), 1 reply without code (there is no code in the reply)");
  EXPECT_EQ(setbacks.count(Setbacks::Kind::duplicate), 2u);
}

TEST(Setbacks, CountReasonsOfCandidatesAlone) {
  Setbacks setbacks;
  setbacks.add(verdict(Stage::done, 2), true);
  Verdict slower = verdict(Stage::time, 0.7);
  slower.right = true;
  slower.faster = false;
  slower.measurement.speedup = {0.7, 0.69, 0.71};
  setbacks.add(slower, true);
  Verdict wrong = refused(Stage::verify, "y[7] is 3 on n=5");
  wrong.code = DiagnosticCode::result_wrong;
  setbacks.add(wrong, true);
  setbacks.add(refused(Stage::verify, "y[12] is 4 on n=6"), true);
  setbacks.add(refused(Stage::compile, ""), true);
  setbacks.add(Setbacks::Kind::duplicate);
  std::vector<std::string> said;
  for (const report::Failure& failure : setbacks.of_candidates())
    said.push_back(std::to_string(failure.count) + " " + failure.what + ": " + failure.example);
  EXPECT_EQ(said,
            (std::vector<std::string>{"2 wrong: y[7] is 3 on n=5", "1 did not compile: ", "1 not accepted: slower"}));
  EXPECT_EQ(setbacks.of_candidates().front().code, DiagnosticCode::result_wrong);
  EXPECT_EQ(setbacks.text(), "2 wrong (most often: y[7] is 3 on n=5), 1 did not compile, 1 the same as an earlier one");
}

TEST(Setbacks, ShortenLongReasonsInWholeCharacters) {
  Setbacks setbacks;
  std::string reason;
  while (reason.size() < 300) reason += "ä";
  setbacks.add(refused(Stage::verify, "x" + reason), true);
  EXPECT_LT(setbacks.text().size(), 200u);
  EXPECT_EQ(setbacks.text().find("ä…)"), setbacks.text().size() - 6);
}

TEST(SearchOutcome, PutsFastestFirstAndEarlierOfEquals) {
  SearchOutcome outcome;
  for (const auto& [trial, speedup] : {std::pair(1u, 2.0), {2u, 3.0}, {3u, 2.0}})
    outcome.accepted.push_back({trial, {}, verdict(Stage::done, speedup)});
  outcome.sort();
  EXPECT_EQ(outcome.accepted[0].trial, 2u);
  EXPECT_EQ(outcome.accepted[1].trial, 1u);
}

TEST(Proposal, HasNoChoiceWithoutTunables) {
  Proposal proposal;
  proposal.candidate.source = "f();";
  proposal.candidate.name = "plain";
  EXPECT_EQ(proposal.chosen({}).source, "f();");
  EXPECT_EQ(proposal.unchosen().name, "plain");
}

TEST(Proposal, NamesChoiceAndWritesItDown) {
  Proposal proposal;
  proposal.title = "tiles";
  proposal.written = "HONE_TUNABLE(N, 8, 16);";
  proposal.tunables = search::find_tunables(proposal.written).value();
  proposal.candidate = proposal.chosen({1});
  EXPECT_EQ(proposal.candidate.source, "constexpr auto N = 16;");
  EXPECT_EQ(proposal.candidate.name, "tiles N=16");
  EXPECT_EQ(proposal.unchosen().source, "constexpr auto N = 8;");
  EXPECT_EQ(proposal.unchosen().name, "tiles");
}

TEST(SearchOutcome, NamesBudgetThatWouldDoWhereOpeningTookMuchOfIt) {
  EXPECT_EQ(nothing_judged(0.5, 10), "the budget ended before a candidate was judged; the next tuning goes on");
  EXPECT_EQ(nothing_judged(7.2, 10), nothing_judged(0.5, 10) +
                                         "; compiling and checking the original took 7 of 10 s, so give it --budget 30s");
}

TEST(TrialRule, HasNoLookThatIsLongerThanAllowed) {
  EXPECT_EQ(trial_rule(8, false).looks, (std::vector{0.1, 0.5, 2.0, 8.0}));
  const auto rule = trial_rule(2, false);
  EXPECT_EQ(rule.looks, (std::vector{0.1, 0.5, 2.0}));
  EXPECT_EQ(rule.shares.size(), 3u);
}

TEST(TrialRule, HasNoLongLookOnceSomethingIsAccepted) {
  EXPECT_EQ(trial_rule(8, true).looks, (std::vector{0.1, 0.5, 2.0}));
}

TEST(TrialRule, AlwaysHasOneLook) {
  EXPECT_EQ(trial_rule(0, true).looks, (std::vector{0.1}));
}

}  // namespace
}  // namespace hone::tune
