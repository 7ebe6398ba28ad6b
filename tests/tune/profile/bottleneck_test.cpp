// What limits a kernel by its counters, and how prompts say it.
#include "tool/tune/profile/bottleneck.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/judge/count/ncu.h"
#include "tool/os/files/files.h"
#include "tool/search/knowledge/knowledge.h"
#include "tool/tune/profile/device_profile_text.h"

namespace hone::tune {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// A call of one kernel that runs 100 us on a device that it fills; nothing else is known of it.
DeviceProfile one_kernel(double memory, double compute) {
  LaunchCounters kernel;
  kernel.kernel = "step(float const *, float *, int)";
  kernel.grid = "4096, 1, 1";
  kernel.block = "256, 1, 1";
  kernel.seconds = kernel.total_seconds = 100e-6;
  kernel.memory_share = memory;
  kernel.compute_share = compute;
  kernel.blocks = 4096;
  kernel.multiprocessors = 132;
  kernel.waves = 4;
  return {.problem = "n=1048576", .launches = 1, .seconds = 100e-6, .kernels = {kernel}};
}

std::string limit_of(const DeviceProfile& profile) {
  const auto found = find_bottleneck(profile);
  return found ? std::string(to_string(found->limit)) + ": " + found->why : "unknown";
}

TEST(Bottleneck, IsBusierOfMemoryAndCompute) {
  EXPECT_EQ(limit_of(one_kernel(0.91, 0.12)),
            "memory: the memory system at 91% of its peak, the multiprocessors' busiest pipe at 12%");
  EXPECT_EQ(limit_of(one_kernel(0.30, 0.60)),
            "compute: the multiprocessors' busiest pipe is at 60% of its peak, memory at 30%");
  EXPECT_THAT(limit_of(one_kernel(0.59, 0.59)), HasSubstr("latency")) << "neither is";
  EXPECT_THAT(limit_of(one_kernel(0.80, 0.85)), HasSubstr("compute"));
}

// As ncu read them on an H200; each kernel does what its name says.
TEST(Bottleneck, MatchesPurposeOfEachMeasuredKernel) {
  const auto profile = judge::read_ncu(os::read_file(NCU_TABLE).value());
  ASSERT_TRUE(profile);
  std::map<std::string, std::string> limits;
  for (const LaunchCounters& kernel : profile->kernels)
    limits[kernel.kernel.substr(0, kernel.kernel.find_first_of("(<"))] =
        limit_of({.launches = 1, .seconds = kernel.seconds, .kernels = {kernel}});
  EXPECT_EQ(
      limits,
      (std::map<std::string, std::string>{
          {"saxpy", "memory: device memory at 66% of its peak, the multiprocessors' busiest pipe at 35%"},
          {"void fma_loop", "compute: the pipe for multiplications and additions is at 65% of its peak, memory at 0%"},
          {"tiny", "launch: one launch of 2.08 us on average; to launch an empty kernel takes about 4 us"},
          {"transpose", "memory: the second-level cache at 83% of its peak, the multiprocessors' busiest pipe at 8%"},
          {"conflicts",
           "memory: the first-level cache or shared memory at 87% of its peak, the multiprocessors' "
           "busiest pipe at 6%"},
          {"tensor", "compute: the tensor cores' pipe is at 95% of its peak, memory at 2%"},
          {"chase", "launch: its grid fills 3% of what the device holds at once"}}));
}

TEST(Bottleneck, NamesBusiestUnit) {
  DeviceProfile profile = one_kernel(0.88, 0.2);
  LaunchCounters& kernel = profile.kernels.front();
  kernel.dram_share = 0.31;
  kernel.l2_share = 0.86;
  kernel.l1_share = 0.5;
  EXPECT_THAT(limit_of(profile), HasSubstr("memory: the second-level cache at 88%"));
  kernel.dram_share = 0.88;
  EXPECT_THAT(limit_of(profile), HasSubstr("memory: device memory at 88%"));
  kernel.compute_share = 0.95;
  kernel.fma_share = 0.3;
  kernel.tensor_share = 0.94;
  EXPECT_THAT(limit_of(profile), HasSubstr("compute: the tensor cores' pipe is at 95%"));
}

TEST(Bottleneck, IsLaunchForShortKernelsAndSmallGrids) {
  DeviceProfile brief = one_kernel(0.7, 0.1);
  brief.seconds = brief.kernels.front().seconds = brief.kernels.front().total_seconds = 2.5e-6;
  EXPECT_EQ(limit_of(brief), "launch: one launch of 2.50 us on average; to launch an empty kernel takes about 4 us");
  brief.launches = 10;
  brief.seconds = 30e-6;
  EXPECT_THAT(limit_of(brief), HasSubstr("launch: 10 launches of 3.00 us"));
  brief.seconds = 60e-6;
  EXPECT_THAT(limit_of(brief), HasSubstr("memory:"));

  DeviceProfile few = one_kernel(0.1, 0.2);
  few.kernels.front().blocks = 16;
  EXPECT_EQ(limit_of(few), "launch: its 16 blocks leave 116 of 132 multiprocessors idle");
  few.kernels.front().blocks = 200;
  few.kernels.front().waves = 0.25;
  EXPECT_EQ(limit_of(few), "launch: its grid fills 25% of what the device holds at once");
  few.kernels.front().compute_share = 0.7;
  EXPECT_THAT(limit_of(few), HasSubstr("compute:")) << "however few, they keep a pipe busy";
}

TEST(Bottleneck, IsOccupancyWhenFewWarpsAreResident) {
  DeviceProfile profile = one_kernel(0.3, 0.2);
  LaunchCounters& kernel = profile.kernels.front();
  kernel.warps_share = 0.12;
  kernel.possible_warps_share = 0.125;
  kernel.fit_by_registers = 3;
  kernel.fit_by_shared_memory = 1;
  kernel.fit_by_blocks = 32;
  EXPECT_EQ(
      limit_of(profile),
      "occupancy: memory at 30% of its peak, the multiprocessors at 20%; 12% of the warps that a multiprocessor holds "
      "are there, no more fit for want of shared memory (1 block)");
  kernel.possible_warps_share = 1;
  EXPECT_THAT(limit_of(profile), HasSubstr("are there, 100% would fit: blocks end unevenly, or there are too few"));
  kernel.warps_share = 0.5;
  EXPECT_THAT(limit_of(profile), HasSubstr("latency:"));
}

TEST(Bottleneck, IsLatencyWhenResidentWarpsStall) {
  DeviceProfile profile = one_kernel(0.3, 0.2);
  LaunchCounters& kernel = profile.kernels.front();
  kernel.warps_share = 0.9;
  kernel.cycles_between = 40;
  kernel.stall_long_scoreboard = 28;
  kernel.stall_barrier = 6;
  kernel.stall_wait = 1;
  EXPECT_EQ(
      limit_of(profile),
      "latency: memory at 30% of its peak, the multiprocessors at 20%; warps wait 70% of the time for data of global "
      "or local memory");
  kernel.stall_barrier = 30;
  EXPECT_THAT(limit_of(profile), HasSubstr("75% of the time for other warps at a barrier"));
  kernel.cycles_between = 400;
  EXPECT_EQ(limit_of(profile), "latency: memory at 30% of its peak, the multiprocessors at 20%") << "none stands out";
}

TEST(Bottleneck, IsUnknownWithoutCounters) {
  EXPECT_EQ(limit_of({}), "unknown");
  DeviceProfile profile = one_kernel(0.3, 0.2);
  profile.kernels.front().compute_share.reset();
  EXPECT_EQ(limit_of(profile), "unknown");
}

TEST(DeviceProfileText, ReportsLimitThenEachKernel) {
  DeviceProfile profile = one_kernel(0.91, 0.12);
  LaunchCounters& kernel = profile.kernels.front();
  kernel.dram_share = 0.91;
  kernel.bytes_read = 200e6;
  kernel.bytes_written = 100e6;
  kernel.l2_share = 0.4;
  kernel.l2_hits = 0.33;
  kernel.load_sectors = 4;
  kernel.store_sectors = 4;
  kernel.issue_share = 0.11;
  kernel.tensor_share = 0;
  kernel.warps_share = 0.84;
  kernel.possible_warps_share = 1;
  kernel.registers = 16;
  kernel.cycles_between = 50;
  kernel.stall_long_scoreboard = 45;
  EXPECT_EQ(
      counted_on_device(profile),
      "- memory-bound: device memory at 91% of its peak, the multiprocessors' busiest pipe at 12%\n"
      "- step(float const *, float *, int) with grid (4096, 1, 1) and blocks of (256, 1, 1): 100 us\n"
      "  memory: device memory at 91% of its peak; 200 MB read and 100 MB written, 3.00 TB/s; second-level cache at "
      "40% (33% of it found there); sectors of 32 bytes that a warp touches: 4.0 in a load, 4.0 in a store (neighbours "
      "of 4 bytes: 4)\n"
      "  multiprocessors: busiest pipe at 12%; an instruction issued in 11% of the cycles\n"
      "  warps: 84% of those that a multiprocessor holds are there on average; 16 registers a thread; the grid is 4.0 "
      "times what the device holds at once\n"
      "  a warp waits 50.0 cycles between two instructions: 90% for data of global or local memory\n");
}

TEST(DeviceProfileText, ReportsScatteredAccessesAndBankConflicts) {
  const auto profile = judge::read_ncu(os::read_file(NCU_TABLE).value());
  ASSERT_TRUE(profile);
  std::map<std::string, std::string> texts;
  for (const LaunchCounters& kernel : profile->kernels)
    texts[kernel.kernel.substr(0, kernel.kernel.find_first_of("(<"))] =
        counted_on_device({.launches = 1, .seconds = kernel.seconds, .kernels = {kernel}});
  EXPECT_THAT(texts["transpose"],
              HasSubstr("4.0 in a load, 32.0 in a store (neighbours of 4 bytes: 4), scattered accesses"));
  EXPECT_THAT(
      texts["conflicts"],
      AllOf(HasSubstr("96% of the passes over shared memory are bank conflicts"),
            HasSubstr("12% fit, limited by shared memory (1 block)"), HasSubstr("131 kB of shared memory a block"),
            HasSubstr("74% for data of shared memory or special functions, 21% for other warps at a barrier")));
  EXPECT_THAT(texts["saxpy"],
              AllOf(HasSubstr("134 MB read and 48.9 MB written, 3.18 TB/s"), Not(HasSubstr("scattered")),
                    Not(HasSubstr("conflicts")), Not(HasSubstr("shared memory a block"))));
  EXPECT_THAT(texts["tensor"], AllOf(HasSubstr("tensor cores 99%"), HasSubstr("the grid fills 50% of what")));
  EXPECT_THAT(texts["chase"], HasSubstr("50% fit, limited by places for blocks (32 blocks)"));
}

TEST(DeviceProfileText, OmitsNegligibleKernels) {
  DeviceProfile profile = one_kernel(0.9, 0.1);
  LaunchCounters other = profile.kernels.front();
  other.kernel = "finish(float *)";
  other.seconds = other.total_seconds = 10e-6;
  other.times = 2;
  profile.kernels.push_back(other);
  other.kernel = "trifle(float *)";
  other.seconds = other.total_seconds = 1e-6;
  profile.kernels.push_back(other);
  profile.launches = 4;
  profile.seconds = 111e-6;
  const std::string text = counted_on_device(profile);
  EXPECT_THAT(text, AllOf(ContainsRegex("step.*: 100 us, 90% of the call\n"),
                          ContainsRegex("finish.* 2 times: 10.0 us, 9% of the call\n"), Not(HasSubstr("trifle"))));
  EXPECT_EQ(counted_on_device({}), "");
}

// What the notes and the memory across kernels go by.
TEST(DeviceProfileText, DeterminesStateForSearchMemory) {
  search::TaskFacts facts;
  facts.language = "cuda c++17";
  facts.definition = "__global__ void step(const float* x, float* y, int n) { y[threadIdx.x] = x[threadIdx.x]; }";
  const auto state = [&](const DeviceProfile& profile) { return search::state_of(facts, counted_on_device(profile)); };
  EXPECT_EQ(state(one_kernel(0.9, 0.1)).bottleneck, "memory");
  EXPECT_EQ(state(one_kernel(0.1, 0.9)).bottleneck, "compute");
  EXPECT_EQ(state(one_kernel(0.1, 0.1)).bottleneck, "latency");
  EXPECT_EQ(state(one_kernel(0.1, 0.1)).axes.at("parallelism"), 0u);
  EXPECT_EQ(state(one_kernel(0.9, 0.1)).axes.at("parallelism"), 3u);
  DeviceProfile few = one_kernel(0.1, 0.2);
  few.kernels.front().warps_share = 0.1;
  EXPECT_EQ(state(few).bottleneck, "occupancy");
  few.kernels.front().blocks = 16;
  EXPECT_EQ(state(few).bottleneck, "launch");
  DeviceProfile scattered = one_kernel(0.9, 0.1);
  EXPECT_EQ(state(scattered).axes.at("locality"), 3u);
  scattered.kernels.front().load_sectors = 32;
  EXPECT_THAT(counted_on_device(scattered), HasSubstr("32.0 in a load (neighbours of 4 bytes: 4), scattered accesses"));
  EXPECT_LT(state(scattered).axes.at("locality"), 3u);
  scattered.kernels.front().active_threads = 9;
  EXPECT_LT(state(scattered).axes.at("predictability"), 3u);
}

}  // namespace
}  // namespace hone::tune
