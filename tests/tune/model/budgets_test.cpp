// What bounds a model's search: what it may spend, and how long a call is waited for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/tune/model/patience.h"
#include "tool/tune/model/spending.h"
#include "tool/tune/model/stable_start.h"

namespace hone::tune {
namespace {

llm::Usage tokens(std::uint64_t input, std::uint64_t output) {
  return {.input_tokens = input, .output_tokens = output};
}

TEST(Spending, AdmitsWhatFitsBesideCallsInFlight) {
  Spending spending({.tokens = 100});
  EXPECT_TRUE(spending.admit(1, tokens(40, 20)));
  EXPECT_FALSE(spending.admit(2, tokens(40, 20))) << "both might come to what was set aside";
  spending.settle(1, tokens(10, 5), "init");
  EXPECT_TRUE(spending.admit(2, tokens(40, 20)));
  EXPECT_EQ(spending.in_flight(), 1u);
}

TEST(Spending, CountsMoneyLikeTokens) {
  Spending spending({.cost = 1});
  EXPECT_TRUE(spending.limited());
  EXPECT_TRUE(spending.admit(1, {.cost = 0.6}));
  EXPECT_FALSE(spending.admit(2, {.cost = 0.6}));
}

TEST(Spending, SaysWhatItWasSpentOn) {
  Spending spending({});
  EXPECT_FALSE(spending.limited());
  EXPECT_EQ(spending.text(), "0 calls, 0 tokens in and 0 out");
  spending.settle(1, {.input_tokens = 30, .output_tokens = 10, .cost = 0.25}, "mutation");
  spending.settle(2, {.input_tokens = 5, .output_tokens = 1, .cost = 0.05}, "init");
  spending.settle(3, tokens(5, 1), "init");
  EXPECT_EQ(spending.text(), "3 calls, 40 tokens in and 12 out, cost 0.3 (init 2, mutation 1)");
  EXPECT_EQ(spending.spent().calls, 3u);
  EXPECT_EQ(spending.spent().tokens, 52u);
}

TEST(Spending, TellsStoppedCallsApartAndCountsThemAgainstLimits) {
  Spending spending({.tokens = 100});
  EXPECT_TRUE(spending.admit(1, tokens(40, 20)));
  spending.settle_stopped(1, tokens(40, 20));
  EXPECT_FALSE(spending.admit(2, tokens(40, 20)));
  EXPECT_EQ(spending.spent().tokens, 0u);
  spending.settle_stopped(3, {});  // one that was never sent
  EXPECT_EQ(spending.text(), "0 calls, 0 tokens in and 0 out; 1 call was stopped, which may cost up to 60 tokens");
}

TEST(StableStart, IsWhatPromptsHaveInCommon) {
  const std::string task(2000, 't');
  StableStart start;
  EXPECT_EQ(start.of(task + "\nfirst parent\n"), 0u) << "nobody knows yet";
  EXPECT_EQ(start.of(task + "\nfirst other\n"), task.size() + 1);
  EXPECT_EQ(start.of("advice"), 0u);
  EXPECT_EQ(start.of(task + "\nthird\n"), task.size() + 1) << "one that begins otherwise changes nothing";
}

class PatienceTest : public testing::Test {
 protected:
  static Patience::Clock::time_point before(int seconds) {
    return Patience::Clock::now() - std::chrono::seconds(seconds);
  }
  static llm::Settings model(int timeout) { return {"openai", {{.timeout = std::chrono::seconds(timeout)}}}; }
};

TEST_F(PatienceTest, CallIsOverdueAfterFifteenSecondsWhileNobodyAnswered) {
  const Patience patience(model(300));
  EXPECT_FALSE(patience.overdue(before(14)));
  EXPECT_TRUE(patience.overdue(before(16)));
}

TEST_F(PatienceTest, CallIsOverdueAfterQuarterOfShortTimeout) {
  EXPECT_TRUE(Patience(model(20)).overdue(before(6)));
}

TEST_F(PatienceTest, CallIsOverdueAfterTwiceSlowestAnswer) {
  Patience patience(model(300));
  patience.answered(30);
  patience.answered(3);
  EXPECT_EQ(patience.slowest(), 30);
  EXPECT_FALSE(patience.overdue(before(59)));
  EXPECT_TRUE(patience.overdue(before(61)));
}

TEST_F(PatienceTest, CallIsHopelessOnlyAfterSomebodyAnswered) {
  Patience patience(model(300));
  EXPECT_FALSE(patience.hopeless(before(10'000)));
  patience.answered(10);
  EXPECT_FALSE(patience.hopeless(before(39)));
  EXPECT_TRUE(patience.hopeless(before(41)));
}

}  // namespace
}  // namespace hone::tune
