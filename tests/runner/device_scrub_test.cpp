// What is filled anew before a call on a device, on a driver that only counts.
#include "tool/runner/device_scrub.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace hone::runner {
namespace {

struct Asked {
  std::size_t largest = 0;  // bytes
  unsigned blocks = 0, freed = 0, of_stream = 0;
};
Asked asked;

cuda::Driver counting_driver() {
  cuda::Driver driver;
  driver.cuModuleLoadData = [](CUmodule*, const void*) { return CUDA_SUCCESS; };
  driver.cuModuleGetFunction = [](CUfunction* function, CUmodule, const char*) {
    *function = reinterpret_cast<CUfunction>(&asked);
    return CUDA_SUCCESS;
  };
  driver.cuDeviceGetAttribute = [](int* value, CUdevice_attribute, CUdevice) { return *value = 1, CUDA_SUCCESS; };
  driver.cuFuncSetAttribute = [](CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; };
  driver.cuMemAlloc = [](CUdeviceptr* block, size_t bytes) {
    *block = ++asked.blocks;
    asked.largest = std::max(asked.largest, bytes);
    return CUDA_SUCCESS;
  };
  driver.cuMemFree = [](CUdeviceptr) { return ++asked.freed, CUDA_SUCCESS; };
  driver.cuMemAllocAsync = [](CUdeviceptr* block, size_t, CUstream) {
    return *block = ++asked.of_stream, CUDA_SUCCESS;
  };
  driver.cuMemFreeAsync = [](CUdeviceptr, CUstream) { return CUDA_SUCCESS; };
  driver.cuMemsetD32Async = [](CUdeviceptr, unsigned, size_t, CUstream) { return CUDA_SUCCESS; };
  driver.cuLaunchKernel = [](CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                             void**, void**) { return CUDA_SUCCESS; };
  driver.cuCtxSynchronize = [] { return CUDA_SUCCESS; };
  return driver;
}

Asked asked_for(const Scrubbing& scrubbing) {
  asked = {};
  EXPECT_EQ(scrub_device(counting_driver(), 0, scrubbing), nullptr);
  EXPECT_EQ(asked.blocks, asked.freed);
  return asked;
}

constexpr std::uint64_t usual = std::uint64_t{1} << 32, one_of_eight = 0;  // keys
constexpr std::size_t kibibyte = 1024, mebibyte = 1024 * kibibyte;

TEST(DeviceScrub, FillsFreedMemoryAsFarAsCallMayReach) {
  EXPECT_EQ(asked_for({usual, true, true, 1000}).largest, 256 * kibibyte);
  EXPECT_EQ(asked_for({usual, true, true, 1000}).of_stream, 0u);
  for (std::uint64_t turn = 0; turn < 3; ++turn)
    EXPECT_EQ(asked_for({usual | turn << 40, true, true, mebibyte}).largest, 2 * mebibyte) << "the only large kind";
}

TEST(DeviceScrub, GivesEachKindOfLargeBlocksItsTurn) {
  std::set<std::size_t> largest;
  for (std::uint64_t turn = 0; turn < 3; ++turn)
    largest.insert(asked_for({usual | turn << 40, true, true, 100 * mebibyte}).largest);
  EXPECT_EQ(largest, (std::set<std::size_t>{2 * mebibyte, 16 * mebibyte, 64 * mebibyte}));
}

TEST(DeviceScrub, FillsAllBlocksBeforeOneCallOfEight) {
  const Asked all = asked_for({one_of_eight, true, true, 1000});
  EXPECT_EQ(all.largest, 64 * mebibyte);
  EXPECT_GT(all.of_stream, 0u);
  unsigned thorough = 0;
  for (std::uint64_t turn = 0; turn < 64; ++turn) thorough += asked_for({turn << 32, true, true, 1000}).of_stream > 0;
  EXPECT_EQ(thorough, 8u);
}

TEST(DeviceScrub, AsksForNoMemoryWhereNoCallDoes) {
  for (const std::uint64_t key : {usual, one_of_eight})
    EXPECT_EQ(asked_for({key, true, false, 100 * mebibyte}).blocks, 0u);
}

}  // namespace
}  // namespace hone::runner
