// What a terminal shows, as lines.
#include "tool/report/screen.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::report {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ScreenKernel judging() {
  return {.name = "blur",
          .phase = Phase::judging,
          .best = Speedup{3.1, 3.02, 3.18},
          .trial = 9,
          .trials = 45,
          .judged = 9,
          .active_seconds = 13,
          .seconds_left = 12,
          .last = "4.10x [4.02, 4.18], not accepted: 0.80x on n=515"};
}

ScreenState three() {
  ScreenState state;
  state.kernels = {
      judging(),
      {.name = "softmax", .phase = Phase::waiting, .best = Speedup{1.42, 1.4, 1.44}, .trial = 6, .trials = 45},
      {.name = "scan", .phase = Phase::done, .outcome = "tuned: 2.20x [2.18, 2.22]"}};
  state.seconds = 30;
  state.seconds_left = 24;
  return state;
}

std::vector<std::string> at(std::size_t columns, std::size_t rows = 24, ScreenState state = three()) {
  return screen(state, {columns, rows}, false);
}

TEST(Screen, ShowsEachKernelWithItsState) {
  EXPECT_THAT(at(140), ElementsAre("3 kernels: 1 judging, 1 waiting, 1 done; 15 candidates, 18/min; 0:24 left",
                                   "  blur     judging  3.10x [3.02, 3.18]  9/45  42/min  0:12 left  "
                                   "4.10x [4.02, 4.18], not accepted: 0.80x on n=515",
                                   "  softmax  waiting  1.42x [1.40, 1.44]  6/45",
                                   "  scan     done     tuned: 2.20x [2.18, 2.22]"));
}

TEST(Screen, NeverIsWiderThanTerminal) {
  ScreenState state = three();
  state.kernels.push_back({.name = std::string(300, 'k'), .phase = Phase::looking});
  for (std::size_t columns = 1; columns < 200; ++columns)
    for (const std::string& line : at(columns, 24, state))
      EXPECT_LT(columns_of(line), std::max<std::size_t>(columns, 2)) << columns << ": " << line;
}

TEST(Screen, NeverIsHigherThanTerminal) {
  ScreenState state;
  for (int i = 0; i < 60; ++i) state.kernels.push_back({.name = "k" + std::to_string(i)});
  for (std::size_t rows = 1; rows < 80; ++rows)
    EXPECT_LT(at(80, rows, state).size(), std::max<std::size_t>(rows, 2)) << rows;
}

TEST(Screen, LeavesOutWhatTellsLeast) {
  EXPECT_THAT(at(110)[1], AllOf(HasSubstr("0:12 left"), HasSubstr("not accepted: 0.")));
  EXPECT_THAT(at(60)[1], AllOf(HasSubstr("9/45"), Not(HasSubstr("4.10x"))));
  EXPECT_THAT(at(42)[1], AllOf(HasSubstr("3.10x [3.02, 3.18]"), Not(HasSubstr("/min"))));
  EXPECT_EQ(at(24)[1], "  blur     judging");
}

TEST(Screen, NeverShowsFigureThatWasNotAcceptedAlone) {
  for (std::size_t columns = 1; columns < 200; ++columns)
    for (const std::string& line : at(columns)) {
      if (line.find("4.10x") == std::string::npos) continue;
      EXPECT_THAT(line, HasSubstr(", not accepted: ")) << columns;
    }
}

TEST(Screen, ShowsActiveKernelsFirstWhereThereIsNoRoom) {
  ScreenState state;
  for (int i = 0; i < 40; ++i)
    state.kernels.push_back({.name = "kernel" + std::to_string(i), .phase = i < 20 ? Phase::done : Phase::waiting});
  state.kernels[37].phase = Phase::judging;
  state.kernels[38].phase = Phase::finals;
  const auto lines = at(80, 7, state);
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_THAT(lines[0], HasSubstr("40 kernels: 1 judging, 1 finals, 18 waiting, 20 done"));
  EXPECT_THAT(lines[1], HasSubstr("kernel20"));
  EXPECT_THAT(lines[3], HasSubstr("kernel37  judging"));
  EXPECT_THAT(lines[4], HasSubstr("kernel38  finals"));
  EXPECT_EQ(lines[5], "  and 36 more: 16 waiting, 20 done");
}

TEST(Screen, CountsColumnsOfWideAndCombiningCharacters) {
  EXPECT_EQ(columns_of("核"), 2u);
  EXPECT_EQ(columns_of("e\u0301"), 1u);
  EXPECT_EQ(columns_of("\xff"), 1u);
  EXPECT_EQ(cut("核核核核核", 7), "核核...");
  EXPECT_EQ(cut("核核核", 5), "核核");
  EXPECT_EQ(cut("short", 5), "short");
  ScreenState state = three();
  state.kernels[0].name = "核函数";
  const auto lines = at(60, 24, state);
  EXPECT_THAT(lines[1], HasSubstr("核函数   judging"));
  EXPECT_THAT(lines[2], HasSubstr("softmax  waiting"));
}

TEST(Screen, ShowsNoControlCharacters) {
  ScreenState state = three();
  state.kernels[0].name = "bl\x1b[31mur\n";
  state.kernels[0].last = "wrong: \x1b]0;title\x07";
  for (const std::string& line : at(150, 24, state)) EXPECT_THAT(line, Not(testing::ContainsRegex("[\x01-\x1f]")));
}

TEST(Screen, ColorsOnlyIfAsked) {
  EXPECT_THAT(screen(three(), {100, 24}, true)[1], HasSubstr("\x1b[32m3.10x [3.02, 3.18]\x1b[0m"));
  for (const std::string& line : screen(three(), {100, 24}, false)) EXPECT_THAT(line, Not(HasSubstr("\x1b")));
}

TEST(Screen, ShowsMoneyAndTokensLeft) {
  ScreenState state = three();
  state.kernels[0].spent = {.calls = 3, .tokens = 1200, .cost = 0.42};
  state.kernels[0].most_cost = 1;
  state.kernels[0].calls_open = 2;
  EXPECT_THAT(at(160, 24, state)[1], HasSubstr("0.58 of 1.00 left, 2 asked"));
  EXPECT_THAT(at(160, 24, state)[0], HasSubstr("0.42 spent"));
  state.kernels[0].most_cost = 0;
  state.kernels[0].most_tokens = 2000;
  EXPECT_THAT(at(160, 24, state)[1], HasSubstr("0.42 spent, 800 tokens left"));
}

TEST(Screen, SaysThatItStops) {
  ScreenState state = three();
  state.stopping = true;
  EXPECT_THAT(at(100, 24, state)[0], testing::StartsWith("stopping; 3 kernels"));
}

TEST(Terminal, TakesSizeFromEnvironmentFirst) {
  setenv("COLUMNS", "33", 1);
  setenv("LINES", "nonsense", 1);
  std::FILE* file = std::tmpfile();
  const TerminalSize size = terminal_size(file);
  std::fclose(file);
  unsetenv("COLUMNS");
  unsetenv("LINES");
  EXPECT_EQ(size.columns, 33u);
  EXPECT_EQ(size.rows, 24u);
}

TEST(Terminal, IsNoneIfItIsAFile) {
  std::FILE* file = std::tmpfile();
  EXPECT_FALSE(can_redraw(file));
  std::fclose(file);
}

}  // namespace
}  // namespace hone::report
