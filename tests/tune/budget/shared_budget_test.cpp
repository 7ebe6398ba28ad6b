// Searches that are threads which count, so that only the sharing is real.
#include "tool/tune/budget/shared_budget.h"

#include <atomic>
#include <cmath>
#include <deque>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/base/either_stop.h"
#include "tool/tune/trial/deadline.h"

namespace hone::tune {
namespace {

using std::chrono::milliseconds;

// Works in pieces of 20 ms until it is told to end, then measures.
struct Worker {
  std::atomic<int> pieces = 0;
  std::atomic<bool> measured = false;
  int enough = 1 << 30;
  double best = 1;

  void tune(Slice& slice, std::atomic<int>& at_once, std::atomic<int>& most_at_once) {
    Deadline whole({}, seconds_from(slice.now(), 1000), &slice);
    const std::stop_callback over(slice.all_over(), [&] { whole.move(slice.now()); });
    const std::stop_callback enough_found(slice.search_over(), [&] { ended = true; });
    slice.reserve(0.2);
    slice.enter(Slice::Stage::searching);
    EitherStop ending(whole.token());
    const std::stop_callback wakes(slice.search_over(), [&] { ending.stop(); });
    while (!ended && pieces < enough) {
      const auto piece = slice.begin(ending.token());
      if (!piece) break;
      most_at_once = std::max(most_at_once.load(), ++at_once);
      std::this_thread::sleep_for(milliseconds(20));
      --at_once;
      ++pieces;
      slice.told(best, 0);
    }
    if (best == 1) return;
    slice.enter(Slice::Stage::ended);
    measured = slice.begin(whole.token()).has_value();
  }

  std::atomic<bool> ended = false;
};

struct Sharing {
  explicit Sharing(std::size_t kernels) : workers(kernels) {}
  void within(double seconds, unsigned lanes = 1, std::stop_token stop = {}) {
    tune_within(
        {.seconds = seconds, .weights = std::vector<double>(workers.size(), 1.0), .lanes = lanes},
        [&](std::size_t kernel, Slice& slice) { workers[kernel].tune(slice, at_once, most_at_once); },
        [&](std::size_t, bool) { ++changes; }, std::move(stop));
  }
  std::deque<Worker> workers;
  std::atomic<int> at_once = 0, most_at_once = 0, changes = 0;
};

TEST(SharedBudget, ServesOneSearchAtATime) {
  Sharing run(3);
  for (Worker& worker : run.workers) worker.enough = 10;
  run.within(60);
  for (const Worker& worker : run.workers) EXPECT_EQ(worker.pieces, 10);
  EXPECT_EQ(run.most_at_once, 1);
}

TEST(SharedBudget, ServesAsManyAsThereAreLanes) {
  Sharing run(4);
  for (Worker& worker : run.workers) worker.enough = 20;
  run.within(60, 2);
  for (const Worker& worker : run.workers) EXPECT_EQ(worker.pieces, 20);
  EXPECT_LE(run.most_at_once, 2);
}

TEST(SharedBudget, LetsEachWinnerBeMeasured) {
  Sharing run(3);
  for (Worker& worker : run.workers) worker.enough = 5, worker.best = 2;
  run.within(60);
  for (const Worker& worker : run.workers) EXPECT_TRUE(worker.measured);
}

TEST(SharedBudget, EndsSearchesAndStillMeasures) {
  Sharing run(2);
  run.workers[0].best = 2;
  const auto start = std::chrono::steady_clock::now();
  run.within(6);
  EXPECT_TRUE(run.workers[0].measured);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(SharedBudget, EndsAtOnceIfUserStops) {
  Sharing run(2);
  std::stop_source source;
  std::jthread stopper([&] {
    while (run.workers[0].pieces + run.workers[1].pieces < 3) std::this_thread::sleep_for(milliseconds(5));
    source.request_stop();
  });
  run.within(1000, 1, source.get_token());
  EXPECT_LT(run.workers[0].pieces + run.workers[1].pieces, 100);
}

TEST(SharedBudget, EndsWhereNobodyNeedsTime) {
  Sharing run(3);
  for (Worker& worker : run.workers) worker.enough = 0;
  run.within(1000);
  EXPECT_EQ(run.most_at_once, 0);
}

TEST(Slice, StandsStillWhileSuspended) {
  Slice slice(10, [] {});
  const auto before = slice.now();
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(slice.now(), before);
  slice.resume(1);
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_GT(slice.now(), before);
  slice.suspend();
  const auto after = slice.now();
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(slice.now(), after);
}

TEST(Slice, GoesOnUntilPieceUnderWayHasEnded) {
  Slice slice(10, [] {});
  slice.resume(1);
  auto piece = slice.begin({});
  slice.suspend();
  const auto before = slice.now();
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_GT(slice.now(), before);
  piece.reset();
  slice.wait_until_idle();
  const auto after = slice.now();
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(slice.now(), after);
}

TEST(Slice, LetsPieceBeginOnlyWhileServed) {
  Slice slice(10, [] {});
  std::stop_source stop;
  std::atomic<bool> begun = false;
  {
    std::jthread thread([&] { begun = slice.begin(stop.get_token()).has_value(); });
    std::this_thread::sleep_for(milliseconds(5));
    EXPECT_FALSE(begun);
    slice.resume(1);
  }
  EXPECT_TRUE(begun);
  slice.suspend();
  stop.request_stop();
  EXPECT_FALSE(slice.begin(stop.get_token()));
}

TEST(Slice, CountsGainsAfterTheFirstTrial) {
  Slice slice;
  slice.told(4, 0);
  EXPECT_EQ(slice.state().gained, 0);
  slice.told(8, 0.5);
  EXPECT_NEAR(slice.state().gained, std::log(2.0), 1e-9);
  EXPECT_EQ(slice.state().best, 8);
}

TEST(Slice, MovesDeadlineByWhatItStoodStill) {
  Slice slice(10, [] {});
  Deadline deadline({}, seconds_from(slice.now(), 0.02), &slice);
  std::this_thread::sleep_for(milliseconds(60));
  EXPECT_FALSE(deadline.stopped());
  slice.resume(1);
  for (int i = 0; i < 1000 && !deadline.stopped(); ++i) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_TRUE(deadline.stopped());
}

}  // namespace
}  // namespace hone::tune
