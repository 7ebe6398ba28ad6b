// How a candidate's lines, and what is executed of them, are put into a prompt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/tune/profile/count_text.h"
#include "tool/tune/profile/profiler.h"
#include "tool/tune/profile/quoted_line.h"

namespace hone::tune {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(QuotedLine, QuotesCodeWithoutIndentation) {
  const auto lines = lines_of("void f() {\n  \tg();\r\n}");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(quoted_line(lines, 2), "line 2 `g();`");
}

TEST(QuotedLine, CutsLongLine) {
  const std::string text(100, 'x');
  EXPECT_EQ(quoted_line({text}, 1), "line 1 `" + text.substr(0, 72) + "…`");
}

TEST(QuotedLine, IsNumberAloneWithoutSuchLine) {
  EXPECT_EQ(quoted_line({"a"}, 0), "line 0");
  EXPECT_EQ(quoted_line({"a"}, 2), "line 2");
}

TEST(CountText, TellsCallAndLinesThatMatter) {
  const ExecutionCounts counts{.problem = "n=1000",
                               .instructions = 1'234'000,
                               .accesses = 10'000,
                               .first_level_misses = 50,
                               .branches = 999,
                               .lines = {{1, 1'200'000, 50}, {2, 20'000, 0}}};
  const std::string text = executed(counts, "hot();\ncold();\n");
  EXPECT_THAT(text, HasSubstr("- n=1000: 1.2 million instructions; 10 thousand reads and writes, of which 0.5% miss"));
  EXPECT_THAT(text, HasSubstr("999 conditional branches"));
  EXPECT_THAT(text, HasSubstr("- line 1 `hot();`: 97% of the instructions, 100% of the first-level misses"));
  EXPECT_THAT(text, Not(HasSubstr("cold"))) << "under a fiftieth";
}

TEST(Profiler, IsNeededIfSomeOperatorShowsProfiles) {
  search::Strategy strategy{.operators = {{.name = "init"}, {.name = "mutation"}}};
  EXPECT_FALSE(shows_profiles(strategy));
  strategy.operators[1].ingredients = {search::Ingredient::profile};
  EXPECT_TRUE(shows_profiles(strategy));
}

}  // namespace
}  // namespace hone::tune
