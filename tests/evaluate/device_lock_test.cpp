// Timings and other work take turns on a device, in the order in which they asked.
#include "tool/evaluate/device_lock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace hone::evaluate {
namespace {

using Mode = DeviceLock::Mode;

// Of this process alone: tests run side by side.
std::string device() {
  return "GPU-lock-test-" + std::to_string(getpid());
}

TEST(DeviceLock, ThoseWhoShareWorkSideBySide) {
  const DeviceLock first = DeviceLock::acquire(device(), Mode::shared);
  const DeviceLock second = DeviceLock::acquire(device(), Mode::shared);
  EXPECT_TRUE(first.held());
  EXPECT_TRUE(second.held());
}

TEST(DeviceLock, ATimingIsAloneAndGivesTheDeviceBack) {
  std::optional<DeviceLock> timing = DeviceLock::acquire(device());
  EXPECT_FALSE(DeviceLock::try_acquire(device()).held());
  timing.reset();
  EXPECT_TRUE(DeviceLock::try_acquire(device()).held());
}

TEST(DeviceLock, WhoAsksToShareQueuesBehindATimingThatWaits) {
  std::optional<DeviceLock> sharing = DeviceLock::acquire(device(), Mode::shared);
  std::mutex mutex;
  std::vector<std::string> order;
  const auto ask = [&](Mode mode, const char* name) {
    const DeviceLock lock = DeviceLock::acquire(device(), mode);
    const std::lock_guard guard(mutex);
    order.emplace_back(name);
  };
  std::jthread timing(ask, Mode::exclusive, "timing");
  while (DeviceLock::try_acquire(device() + "-entrance").held()) std::this_thread::yield();  // until it stands there
  std::jthread latecomer(ask, Mode::shared, "latecomer");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // in which it could push in
  sharing.reset();
  timing.join();
  latecomer.join();
  EXPECT_EQ(order, (std::vector<std::string>{"timing", "latecomer"}));
}

}  // namespace
}  // namespace hone::evaluate
