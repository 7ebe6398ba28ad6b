// Which of a search's best comes first when they are compared with one another.
#include "tool/tune/trial/play_off.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace hone::tune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Table {
  std::vector<Accepted> accepted;
  std::map<std::pair<std::string, std::string>, double> speedups;  // of the second over the first
  std::vector<std::string> asked;

  void add(const std::string& name, Speedup speedup) {
    Accepted one;
    one.candidate.source = name;
    one.verdict.measurement.speedup = speedup;
    accepted.push_back(std::move(one));
  }

  std::vector<std::string> order() {
    play_off(accepted, [this](const std::string& leader, const std::string& other) -> std::optional<Speedup> {
      asked.push_back(leader + other);
      const auto found = speedups.find({leader, other});
      if (found == speedups.end()) return std::nullopt;
      return Speedup{found->second, found->second, found->second};
    });
    std::vector<std::string> names;
    for (const Accepted& one : accepted) names.push_back(one.candidate.source);
    return names;
  }
};

TEST(PlayOff, PutsWinnerAgainstLeaderFirst) {
  Table table;
  table.add("a", {20, 16, 24});
  table.add("b", {19, 15, 23});
  table.add("c", {18, 14, 22});
  table.speedups = {{{"a", "b"}, 1.05}, {{"b", "c"}, 0.97}};
  EXPECT_THAT(table.order(), ElementsAre("b", "a", "c"));
}

TEST(PlayOff, KeepsOrderWhenIntervalsAreNarrow) {
  Table table;
  table.add("a", {1.31, 1.29, 1.33});
  table.add("b", {1.30, 1.28, 1.32});
  EXPECT_THAT(table.order(), ElementsAre("a", "b"));
  EXPECT_THAT(table.asked, IsEmpty());
}

TEST(PlayOff, SkipsClearlySlowerCandidates) {
  Table table;
  table.add("a", {20, 16, 24});
  table.add("b", {5, 4, 6});
  table.add("c", {4, 1, 18});
  table.speedups = {{{"a", "c"}, 2}};
  EXPECT_THAT(table.order(), ElementsAre("c", "a", "b"));
  EXPECT_THAT(table.asked, ElementsAre("ac"));
}

TEST(PlayOff, ComparesOnlyFirstFour) {
  Table table;
  for (const char* name : {"a", "b", "c", "d", "e"}) table.add(name, {20, 16, 24});
  table.speedups = {{{"a", "b"}, 0.9}, {{"a", "c"}, 0.9}, {{"a", "d"}, 0.9}};
  EXPECT_THAT(table.order(), ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(table.asked, ElementsAre("ab", "ac", "ad"));
}

TEST(PlayOff, KeepsOrderWhenComparisonIsUndecided) {
  Table table;
  EXPECT_THAT(table.order(), IsEmpty());
  table.add("a", {20, 16, 24});
  table.add("b", {19, 15, 23});
  table.add("c", {18, 14, 22});
  EXPECT_THAT(table.order(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(table.asked, ElementsAre("ab")) << "there is no more time";
}

TEST(PlayOff, PrefersShorterOfEquallyFastOnes) {
  Table table;
  table.add("a\nb\nc", {1.31, 1.29, 1.33});
  table.add("a\nb", {1.30, 1.28, 1.32});
  table.speedups = {{{"a\nb\nc", "a\nb"}, 0.98}};
  EXPECT_THAT(table.order(), ElementsAre("a\nb", "a\nb\nc"));
}

TEST(PlayOff, KeepsLongerOneThatIsFaster) {
  Table table;
  table.add("a\nb\nc", {1.31, 1.29, 1.33});
  table.add("a\nb", {1.30, 1.28, 1.32});
  table.speedups = {{{"a\nb\nc", "a\nb"}, 0.96}};
  EXPECT_THAT(table.order(), ElementsAre("a\nb\nc", "a\nb"));
}

TEST(PlayOff, PrefersShorterByFiguresOfSearchWithoutTime) {
  Table table;
  table.add("a\nb\nc", {20, 16, 24});
  table.add("a\nb\nd", {19.9, 15, 23});
  table.add("a\nb", {19.5, 15, 23});
  table.add("a", {19, 15, 23});
  EXPECT_THAT(table.order(), ElementsAre("a\nb", "a\nb\nc", "a\nb\nd", "a")) << "2.5% are lost, 5% would be";
  EXPECT_EQ(table.asked.size(), 1u);
}

TEST(PlayOff, TakesLongerOneForClearGainAlone) {
  Table table;
  table.add("a", {20, 16, 24});
  table.add("a\nb", {19, 15, 23});
  table.speedups = {{{"a", "a\nb"}, 1.02}};
  EXPECT_THAT(table.order(), ElementsAre("a", "a\nb"));
  table.speedups = {{{"a", "a\nb"}, 1.04}};
  EXPECT_THAT(table.order(), ElementsAre("a\nb", "a"));
}

}  // namespace
}  // namespace hone::tune
