// Judgements that run at once spread over a machine's devices.
#include "tool/evaluate/device_choice.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>

namespace hone::evaluate {
namespace {

// Of this process alone: tests run side by side.
std::vector<std::string> devices(std::size_t count) {
  std::vector<std::string> uuids;
  for (std::size_t i = 0; i < count; ++i)
    uuids.push_back("GPU-test-" + std::to_string(getpid()) + "-" + std::to_string(i));
  return uuids;
}

TEST(DeviceChoice, EveryDeviceGetsOneBeforeAnyGetsTwo) {
  const auto all = devices(3);
  std::vector<DeviceChoice> choices;
  std::vector<int> counts(3);
  for (int i = 0; i < 6; ++i) {
    choices.push_back(choose_device(all));
    ++counts.at(choices.back().device);
    if (i == 2) {
      EXPECT_EQ(counts, (std::vector{1, 1, 1}));
    }
  }
  EXPECT_EQ(counts, (std::vector{2, 2, 2}));
}

TEST(DeviceChoice, WhoEndsLeavesItsDeviceToTheNext) {
  const auto all = devices(2);
  std::optional<DeviceChoice> first = choose_device(all);
  const DeviceChoice second = choose_device(all);
  const int left = first->device;
  EXPECT_NE(second.device, left);
  first.reset();
  EXPECT_EQ(choose_device(all).device, left);
}

TEST(DeviceChoice, TheOnlyDeviceIsNumberZeroAndSoIsNone) {
  EXPECT_EQ(choose_device(devices(1)).device, 0);
  EXPECT_EQ(choose_device({}).device, 0);
}

}  // namespace
}  // namespace hone::evaluate
