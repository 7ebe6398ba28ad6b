#include "tool/frontend/parse/forked_call.h"

#include <gtest/gtest.h>

#include <thread>

namespace hone::frontend {
namespace {

using namespace std::chrono_literals;

// As on a machine that is busy with other things.
TEST(ForkedCall, IsGivenTimeOfTheProcessorAndNotOfTheClock) {
  const auto waits = [] {
    std::this_thread::sleep_for(2500ms);
    return std::string("done");
  };
  EXPECT_EQ(isolated_call(waits, {.time = 1s}).answer, "done");
}

TEST(ForkedCall, EndsWhatComputesLonger) {
  const auto computes = []() -> std::string {
    for (volatile unsigned long i = 0;; i = i + 1) continue;
  };
  const CallOutcome outcome = isolated_call(computes, {.time = 1s});
  EXPECT_FALSE(outcome.answer);
  EXPECT_EQ(outcome.failure, "it takes more than 1 s");
}

}  // namespace
}  // namespace hone::frontend
