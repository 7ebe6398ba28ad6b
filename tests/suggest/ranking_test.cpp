#include "tool/suggest/ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::suggest {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

frontend::SurveyedFunction function(const std::string& name, unsigned first, unsigned last,
                                    std::vector<std::pair<unsigned, unsigned>> loops) {
  frontend::SurveyedFunction one;
  one.name = one.mangled = name;
  one.file = "/src/a.c";
  one.first_line = first;
  one.last_line = last;
  one.loops = std::move(loops);
  return one;
}

class Ranking : public testing::Test {
 protected:
  const std::vector<frontend::SurveyedFunction> functions_{
      function("helper", 1, 3, {}), function("work", 5, 9, {{6, 8}}), function("main", 11, 20, {{13, 18}})};
  Profile profile_{.modules = {"", "/app"}};
  Frames frames_;

  // Innermost first.
  void sample(double seconds, const std::vector<Frame>& stack) {
    Sample one{{}, seconds};
    for (const Frame& frame : stack) {
      const Address address{1, frames_.size() + 1};
      frames_[address] = {frame};
      one.stack.push_back(address);
    }
    profile_.samples.push_back(one);
    profile_.seconds += seconds;
  }
  std::vector<std::string> ranked() const {
    std::vector<std::string> lines;
    for (const Hot& one : rank(profile_, frames_, functions_))
      lines.push_back(functions_[one.function].name + " " + std::to_string(static_cast<int>(one.in_loops)) + " of " +
                      std::to_string(static_cast<int>(one.whole)));
    return lines;
  }
  static Frame at(const std::string& name, unsigned line) { return {name, "/src/a.c", line}; }
};

TEST_F(Ranking, TellsHelpersTimeToTheLoopThatCallsIt) {
  sample(3, {at("helper", 2), at("work", 7), at("main", 15)});
  sample(2, {at("work", 7), at("main", 15)});
  EXPECT_THAT(ranked(), ElementsAre("work 5 of 5"));
}

TEST_F(Ranking, TellsTimeBesideLoopsToTheLoopAround) {
  sample(4, {at("work", 9), at("main", 15)});
  EXPECT_THAT(ranked(), ElementsAre("main 4 of 4"));
  sample(9, {at("work", 7), at("main", 15)});
  EXPECT_THAT(ranked(), ElementsAre("work 9 of 13", "main 4 of 13"));
}

TEST_F(Ranking, CountsRecursionOnce) {
  sample(2, {at("work", 7), at("work", 7), at("main", 12)});
  EXPECT_THAT(ranked(), ElementsAre("work 2 of 2"));
}

TEST_F(Ranking, GoesByNamesWithoutLines) {
  sample(2, {{"memcpy", "", 0}, {"work.constprop.0", "", 0}, {"main", "", 0}});
  EXPECT_THAT(ranked(), ElementsAre("work 2 of 2"));
}

TEST_F(Ranking, SaysNothingOfStrangers) {
  sample(2, {{"f", "/other/b.c", 7}, {"", "", 0}});
  EXPECT_THAT(ranked(), IsEmpty());
}

}  // namespace
}  // namespace hone::suggest
