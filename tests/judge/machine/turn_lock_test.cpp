// Timings and other work take turns on a device, in the order in which they asked.
#include "tool/judge/machine/turn_lock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace hone::judge {
namespace {

using Mode = TurnLock::Mode;

// Of this process alone: tests run side by side.
std::string device() {
  return "GPU-lock-test-" + std::to_string(getpid());
}

TEST(TurnLock, AllowsSeveralSharedHolders) {
  const TurnLock first = TurnLock::acquire(device(), Mode::shared);
  const TurnLock second = TurnLock::acquire(device(), Mode::shared);
  EXPECT_TRUE(first.held());
  EXPECT_TRUE(second.held());
}

TEST(TurnLock, ExcludesOthersUntilReleased) {
  std::optional<TurnLock> timing = TurnLock::acquire(device());
  EXPECT_FALSE(TurnLock::try_acquire(device()).held());
  timing.reset();
  EXPECT_TRUE(TurnLock::try_acquire(device()).held());
}

TEST(TurnLock, QueuesSharedRequestBehindWaitingTiming) {
  std::optional<TurnLock> sharing = TurnLock::acquire(device(), Mode::shared);
  std::mutex mutex;
  std::vector<std::string> order;
  const auto ask = [&](Mode mode, const char* name) {
    const TurnLock lock = TurnLock::acquire(device(), mode);
    const std::lock_guard guard(mutex);
    order.emplace_back(name);
  };
  std::jthread timing(ask, Mode::exclusive, "timing");
  while (TurnLock::try_acquire(device() + "-entrance").held()) std::this_thread::yield();  // until it stands there
  std::jthread latecomer(ask, Mode::shared, "latecomer");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // in which it could push in
  sharing.reset();
  timing.join();
  latecomer.join();
  EXPECT_EQ(order, (std::vector<std::string>{"timing", "latecomer"}));
}

TEST(UntimedWork, RestartsWhileTimingWaits) {
  UntimedWork work(device());
  work.begin();
  std::jthread timing([] { (void)TurnLock::acquire(device()); });
  while (TurnLock::try_acquire(device() + "-entrance").held()) std::this_thread::yield();  // until it stands there
  work.begin();  // of the next candidate, after one that ended early
  work.let_timings_pass();
  work.end();
  timing.join();
  EXPECT_TRUE(TurnLock::try_acquire(device()).held());
}

TEST(UntimedWork, DoesNotStartWhenLettingTimingsPass) {
  UntimedWork work(device());
  work.let_timings_pass();
  EXPECT_TRUE(TurnLock::try_acquire(device()).held());
}

// As a judge does: a process starts, work, tools side by side, and a timing, of a trial or with nothing starting.
class Judge {
 public:
  Judge(std::atomic<int>& working, std::atomic<int>& timing) : working_(working), timing_(timing) {}

  void start() const { (void)TurnLock::acquire(starts_on(device()), Mode::shared); }

  void work() const {
    const TurnLock shared = TurnLock::acquire(device(), Mode::shared);
    ++working_;
    std::this_thread::yield();
    EXPECT_EQ(timing_, 0);
    --working_;
  }

  void use_tools() const {
    std::vector<std::jthread> tools;
    for (int tool = 0; tool < 4; ++tool) tools.emplace_back([this] { start(), work(), start(); });
  }

  void time(bool trial) const {
    TurnLock quiet;
    if (!trial) quiet = TurnLock::acquire(starts_on(device()));
    const TurnLock alone = TurnLock::acquire(device());
    EXPECT_EQ(++timing_, 1);
    std::this_thread::yield();
    EXPECT_EQ(working_, 0);
    --timing_;
  }

 private:
  std::atomic<int>&working_, &timing_;
};

TEST(TurnLock, DoesNotDeadlockSeveralJudges) {
  std::atomic<int> working = 0, timing = 0, ended = 0;
  {
    std::vector<std::jthread> judges;
    for (int number = 0; number < 6; ++number)
      judges.emplace_back([&, number] {
        const Judge judge(working, timing);
        for (int candidate = 0; candidate < 20; ++candidate) {
          judge.start();
          for (int run = 0; run < 5; ++run) judge.work();
          judge.time((number + candidate) % 3 != 0);
          judge.use_tools();
        }
        ++ended;
      });
  }
  EXPECT_EQ(ended, 6);
}

}  // namespace
}  // namespace hone::judge
