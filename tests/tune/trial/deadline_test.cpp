#include "tool/tune/trial/deadline.h"

#include <atomic>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "tool/tune/trial/ranked_turns.h"
#include "tool/tune/trial/thread_pool.h"

namespace hone::tune {
namespace {

// Blocks until the token fires.
void wait_for(const std::stop_token& token) {
  std::promise<void> fired;
  std::stop_callback callback(token, [&] { fired.set_value(); });
  fired.get_future().wait();
}

TEST(Deadline, FiresWhenTimeIsUp) {
  Deadline deadline({}, seconds_from_now(0.01));
  wait_for(deadline.token());
  EXPECT_LE(deadline.seconds_left(), 0);
}

TEST(Deadline, FiresWhenCallerStops) {
  std::stop_source source;
  Deadline deadline(source.get_token(), seconds_from_now(1e300));
  EXPECT_FALSE(deadline.stopped());
  source.request_stop();
  EXPECT_TRUE(deadline.stopped());
}

TEST(Deadline, FiresAtOnceIfCallerHasStopped) {
  std::stop_source source;
  source.request_stop();
  EXPECT_TRUE(Deadline(source.get_token(), seconds_from_now(100)).stopped());
}

TEST(Deadline, CanBeMovedForward) {
  Deadline deadline({}, seconds_from_now(1000));
  deadline.move(seconds_from_now(0));
  wait_for(deadline.token());
}

TEST(Deadline, IsDestroyedWithoutFiring) {
  std::stop_token token;
  {
    Deadline deadline({}, seconds_from_now(1000));
    token = deadline.token();
  }
  EXPECT_FALSE(token.stop_requested());
}

TEST(ThreadPool, KeepsOrderWithOneThread) {
  std::vector<int> order;
  std::promise<void> done;
  ThreadPool pool(1);
  for (int i = 0; i < 100; ++i) pool.add([&, i] { order.push_back(i); });
  pool.add([&] { done.set_value(); });
  done.get_future().wait();
  ASSERT_EQ(order.size(), 100u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(ThreadPool, FinishesRunningJobAndDropsQueuedOnes) {
  std::atomic<bool> begun = false, finished = false, later = false;
  {
    ThreadPool pool(1);
    pool.add([&] {
      begun = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      finished = true;
    });
    pool.add([&] { later = true; });
    while (!begun) std::this_thread::yield();
  }
  EXPECT_TRUE(finished);
  EXPECT_FALSE(later);
}

TEST(ThreadPool, WorksOffQueuedJobsWhereItIsToldTo) {
  std::atomic<bool> begun = false, later = false;
  {
    ThreadPool pool(1, ThreadPool::Rest::worked_off);
    pool.add([&] {
      begun = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    });
    pool.add([&] { later = true; });
    while (!begun) std::this_thread::yield();
  }
  EXPECT_TRUE(later);
}

TEST(RankedTurns, FirstGoesBeforeLater) {
  RankedTurns turns(1);
  std::mutex mutex;
  std::string order;
  const auto take = [&](RankedTurns::Rank rank, char name) {
    return std::jthread([&, rank, name] {
      const RankedTurns::Turn turn(turns, rank);
      const std::lock_guard lock(mutex);
      order += name;
    });
  };
  {
    std::optional<RankedTurns::Turn> held(std::in_place, turns, RankedTurns::Rank::first);
    const std::jthread later = take(RankedTurns::Rank::later, 'b');
    while (turns.waiting(RankedTurns::Rank::later) == 0) std::this_thread::yield();
    const std::jthread first = take(RankedTurns::Rank::first, 'a');
    while (turns.waiting(RankedTurns::Rank::first) == 0) std::this_thread::yield();
    held.reset();
  }
  EXPECT_EQ(order, "ab");
}

}  // namespace
}  // namespace hone::tune
