// What Clang does in a process of its own: answers, and what is said where there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "tool/frontend/parse/forked_call.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;

constexpr CallLimits kOneSecond{std::chrono::seconds(1)};

// As on a machine that others keep busy.
TEST(ForkedCall, MayTakeLongerByTheClockThanOfTheProcessor) {
  const CallOutcome outcome = isolated_call(
      [] {
        std::this_thread::sleep_for(std::chrono::milliseconds(2200));
        return std::string("read");
      },
      kOneSecond);
  EXPECT_EQ(outcome.answer, "read") << outcome.failure;
}

TEST(ForkedCall, ThatNeverEndsIsStopped) {
  const CallOutcome outcome = isolated_call(
      [] {
        for (volatile int i = 0;; i = i + 1) {
        }
        return std::string();
      },
      kOneSecond);
  EXPECT_FALSE(outcome.answer);
  EXPECT_EQ(outcome.failure, "it takes more than 1 s");
}

TEST(ForkedCall, ThatCrashesIsNoCrashOfTheCaller) {
  const CallOutcome outcome = isolated_call([]() -> std::string { std::abort(); }, kOneSecond);
  EXPECT_FALSE(outcome.answer);
  EXPECT_THAT(outcome.failure, HasSubstr("it makes Clang fail"));
}

}  // namespace
}  // namespace hone::frontend
