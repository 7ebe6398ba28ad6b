// Judgments that run at once spread over a machine's devices.
#include "tool/judge/device/device_choice.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>

#include "tool/cuda/device_count.h"
#include "tool/judge/process/runner_environment.h"

namespace hone::judge {
namespace {

// Of this process alone: tests run side by side.
std::vector<std::string> devices(std::size_t count) {
  std::vector<std::string> uuids;
  for (std::size_t i = 0; i < count; ++i)
    uuids.push_back("GPU-test-" + std::to_string(getpid()) + "-" + std::to_string(i));
  return uuids;
}

TEST(DeviceChoice, ReportsArchitectureOnlyIfAllDevicesShareIt) {
  EXPECT_EQ(cuda::common_architecture({"NVIDIA H200 (sm_90)", "NVIDIA H100 PCIe (sm_90)"}), "sm_90");
  EXPECT_EQ(cuda::common_architecture({"NVIDIA H200 (sm_90)", "NVIDIA A100 (sm_80)"}), "");
  EXPECT_EQ(cuda::common_architecture({"a device without an answer"}), "");
  EXPECT_EQ(cuda::common_architecture({}), "");
}

TEST(DeviceChoice, SpreadsJudgmentsEvenlyOverDevices) {
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

TEST(DeviceChoice, FreesDeviceOnExit) {
  const auto all = devices(2);
  std::optional<DeviceChoice> first = choose_device(all);
  const DeviceChoice second = choose_device(all);
  const int left = first->device;
  EXPECT_NE(second.device, left);
  first.reset();
  EXPECT_EQ(choose_device(all).device, left);
}

TEST(DeviceChoice, ReturnsZeroForOneOrNoDevice) {
  EXPECT_EQ(choose_device(devices(1)).device, 0);
  EXPECT_EQ(choose_device({}).device, 0);
}

constexpr const char* uuid = "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6";

std::string shown(int number, int devices, const char* visible) {
  return runner_device(number, devices, uuid, visible, nullptr).visible_as;
}

TEST(RunnerDevice, IsNamedAsInVisibleDevicesOfJudge) {
  EXPECT_EQ(shown(1, 2, "2,3"), "3");
  EXPECT_EQ(shown(1, 2, " 2, 3 ,"), "3");
  EXPECT_EQ(shown(0, 1, "3,nonsense,1"), "3") << "the driver stops at what it does not know";
  EXPECT_EQ(shown(1, 2, "GPU-1,GPU-8932"), "GPU-8932");
  EXPECT_EQ(shown(0, 1, "MIG-7a31,GPU-8932"), "MIG-7a31");
}

TEST(RunnerDevice, IsNamedByUuidWhenNotListed) {
  EXPECT_EQ(shown(1, 2, nullptr), uuid);
  EXPECT_EQ(shown(2, 3, "0,1"), uuid) << "the list was changed since the driver read it";
  EXPECT_EQ(shown(0, 1, ""), uuid);
}

TEST(RunnerDevice, HasOneQueueUnderSanitizerAndWhereAsked) {
  const auto has_one_queue = [](const RunnerOptions& options) {
    const auto environment = environment_for(options);
    const auto queues = environment.find("CUDA_DEVICE_MAX_CONNECTIONS");
    return queues != environment.end() && queues->second == "1";
  };
  EXPECT_FALSE(has_one_queue({.device = RunnerDevice{}}));
  EXPECT_TRUE(has_one_queue({.device = RunnerDevice{}, .under = {"compute-sanitizer"}}));
  EXPECT_TRUE(has_one_queue({.device = RunnerDevice{}, .one_queue = true}));
}

TEST(RunnerDevice, IsUnnamedWhenItIsTheOnlyDevice) {
  EXPECT_EQ(shown(0, 1, nullptr), "");
}

TEST(RunnerDevice, KeepsDeviceOrderOfJudge) {
  RunnerOptions options;
  options.device = runner_device(0, 1, uuid, "1", "PCI_BUS_ID");
  const auto environment = environment_for(options);
  EXPECT_EQ(environment.at("CUDA_VISIBLE_DEVICES"), "1");
  EXPECT_EQ(environment.at("CUDA_DEVICE_ORDER"), "PCI_BUS_ID");
  EXPECT_EQ(environment.at("HONE_RUNNER_DEVICE"), "0");
  options.device = RunnerDevice{};
  EXPECT_FALSE(environment_for(options).contains("CUDA_DEVICE_ORDER"));
}

}  // namespace
}  // namespace hone::judge
