// Which of a search's best is locked, by what it is when it is measured again.
#include "tool/tune/trial/confirmation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace hone::tune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// By problem: the first is the larger one.
Verdict verdict(double large, double small) {
  Verdict verdict;
  verdict.right = true;
  verdict.faster = large > 1 && small > 1;
  verdict.measurement.speedup = {large * small, large * small, large * small};
  for (const double speedup : {large, small})
    verdict.measurement.problems.push_back({.speedup = {speedup, speedup, speedup}});
  return verdict;
}

// A search's best, and what the finals say of each.
struct Found {
  SearchOutcome outcome;
  std::map<std::string, Result<Verdict>> afresh;
  std::map<std::string, Misfit> misfits;
  std::vector<std::string> measured, notes;
  std::size_t most = 10;  // measurements for which there is time

  void add(const std::string& name, double speedup, const Result<Verdict>& again) {
    Accepted one{.trial = static_cast<unsigned>(outcome.accepted.size()) + 1};
    one.candidate.source = one.candidate.name = name;
    one.verdict.measurement.speedup = {speedup, speedup, speedup};
    outcome.accepted.push_back(std::move(one));
    afresh.emplace(name, again);
  }

  Winner winner() {
    return confirm(outcome, {.misfit = [this](const std::string& source) { return Result<Misfit>(misfits[source]); },
                             .measured =
                                 [this](const Candidate& candidate) {
                                   measured.push_back(candidate.source);
                                   return afresh.at(candidate.source);
                                 },
                             .with_choice =
                                 [](const Accepted& mixed) {
                                   Accepted chosen = mixed;
                                   chosen.candidate.source = chosen.candidate.name = "choice+" + mixed.candidate.source;
                                   chosen.candidate.behind_choice = mixed.candidate.source;
                                   return std::optional(chosen);
                                 },
                             .stopped = [this] { return measured.size() > most; },
                             .note = [this](const std::string& line) { notes.push_back(line); }});
  }
  std::string name(const Winner& winner) const {
    return winner.index ? outcome.accepted[*winner.index].candidate.name : "none";
  }
};

TEST(Confirmation, TakesFirstThatHolds) {
  Found found;
  found.add("a", 3, verdict(0.9, 0.9));
  found.add("b", 2, verdict(2, 1.1));
  const Winner winner = found.winner();
  EXPECT_EQ(found.name(winner), "b");
  EXPECT_TRUE(winner.fresh);
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("a did not hold")));
}

TEST(Confirmation, PutsChoiceInFrontOfWhatIsSlowerOnOneProblem) {
  Found found;
  found.add("a", 3, verdict(3.5, 0.94));
  found.add("b", 1.2, verdict(1.2, 1.1));
  found.afresh.emplace("choice+a", verdict(3.4, 1.01));
  const Winner winner = found.winner();
  EXPECT_EQ(found.name(winner), "choice+a");
  EXPECT_EQ(found.outcome.accepted[*winner.index].candidate.behind_choice, "a");
  EXPECT_THAT(found.measured, ElementsAre("a", "choice+a"));
}

TEST(Confirmation, TakesNextBestWhereChoiceFailsToo) {
  Found found;
  found.add("a", 3, verdict(3.5, 0.94));
  found.add("b", 1.2, verdict(1.2, 1.1));
  found.afresh.emplace("choice+a", verdict(3.4, 0.9));
  EXPECT_EQ(found.name(found.winner()), "b");
  EXPECT_THAT(found.measured, ElementsAre("a", "choice+a", "b"));
}

TEST(Confirmation, NeedsNoChoiceWhereNextBestPromisesAsMuch) {
  Found found;
  found.add("a", 3.2, verdict(3.2, 0.94));
  found.add("b", 3.1, verdict(2.5, 1.2));
  EXPECT_EQ(found.name(found.winner()), "b");
  EXPECT_THAT(found.measured, ElementsAre("a", "b"));
}

TEST(Confirmation, WritesChoiceOfReducedWinnerAtOnce) {
  Found found;
  found.add("reduced a", 3, verdict(3.5, 0.94));
  found.add("a", 3, verdict(3.5, 0.94));
  found.outcome.accepted[0].reduction = Reduction{};
  found.outcome.accepted[1].trial = found.outcome.accepted[0].trial;
  found.afresh.emplace("choice+reduced a", verdict(3.4, 1.01));
  EXPECT_EQ(found.name(found.winner()), "choice+reduced a");
  EXPECT_THAT(found.measured, ElementsAre("reduced a", "choice+reduced a"));
}

TEST(Confirmation, WritesNoChoiceOfWhatIsWrong) {
  Found found;
  Verdict wrong = verdict(3.5, 0.94);
  wrong.right = false;
  found.add("a", 3, wrong);
  EXPECT_EQ(found.name(found.winner()), "none");
  EXPECT_THAT(found.measured, ElementsAre("a"));
}

TEST(Confirmation, MeasuresThreeAtMost) {
  Found found;
  for (const char* name : {"a", "b", "c", "d"}) found.add(name, 2, verdict(0.9, 0.9));
  EXPECT_EQ(found.name(found.winner()), "none");
  EXPECT_EQ(found.measured.size(), 3u);
}

TEST(Confirmation, PassesOverWhatDoesNotFitIntoItsFile) {
  Found found;
  found.add("a", 3, verdict(3, 2));
  found.add("b", 2, verdict(2, 2));
  found.misfits["a"].why = "'x' means something else";
  EXPECT_EQ(found.name(found.winner()), "b");
  EXPECT_THAT(found.measured, ElementsAre("b"));
}

TEST(Confirmation, LooksBeyondThreeThatDoNotFitAndSaysWhy) {
  Found found;
  for (const char* name : {"a", "b", "c", "d"}) {
    found.add(name, 2, verdict(0.9, 0.9));
    if (*name != 'd') found.misfits[name].why = std::string(name) + " clashes";
  }
  EXPECT_EQ(found.winner().misfit, "a clashes");
  EXPECT_THAT(found.measured, ElementsAre("d"));
}

TEST(Confirmation, KeepsMisfitThatKeyKnowsToItself) {
  Found found;
  found.add("a", 2, verdict(2, 2));
  found.misfits["a"] = {"not for all architectures", true};
  const Winner winner = found.winner();
  EXPECT_EQ(found.name(winner), "none");
  EXPECT_EQ(winner.misfit, "");
}

TEST(Confirmation, KeepsErrorOfEnvironment) {
  Found found;
  found.add("a", 3, failure("no device"));
  EXPECT_EQ(found.name(found.winner()), "none");
  ASSERT_TRUE(found.outcome.error);
  EXPECT_EQ(found.outcome.error->what, "no device");
}

TEST(Confirmation, LocksNothingUncertainWithoutTime) {
  Found found;
  found.add("a", 3, verdict(3.5, 0.94));
  found.most = 0;
  EXPECT_EQ(found.name(found.winner()), "none");
}

}  // namespace
}  // namespace hone::tune
