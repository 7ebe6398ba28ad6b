// What Clang does in a process of its own: answers, and what is said where there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <future>
#include <cstring>
#include <algorithm>

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

// What a caller lends may stand on the stack of a thread that the copy lacks.
TEST(ForkedCall, ThreadsInTheCopyLeaveStacksOfTheOthersAlone) {
  constexpr std::size_t size = 1 << 20;
  std::promise<const unsigned char*> lent;
  std::promise<void> done;
  std::thread lender([&] {
    unsigned char data[size];
    std::memset(data, 7, size);
    lent.set_value(data);
    done.get_future().wait();
  });
  const unsigned char* const data = lent.get_future().get();
  const CallOutcome outcome = isolated_call(
      [&] {
        const auto scribble = [] {
          volatile unsigned char own[2 * size];
          for (std::size_t i = 0; i < sizeof own; ++i) own[i] = 1;
        };
        run_at_once({scribble, scribble, scribble}, std::size_t{8} << 20);
        return std::string(std::count(data, data + size, 7) == size ? "as it was" : "overwritten");
      },
      CallLimits{});
  done.set_value();
  lender.join();
  EXPECT_EQ(outcome.answer, "as it was") << outcome.failure;
}

}  // namespace
}  // namespace hone::frontend
