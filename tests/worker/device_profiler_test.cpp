// A call under a profiler, without a device: the real runner in the real sandbox, its kernel a processor's, under a
// program that calls itself ncu, takes ncu's options and writes what ncu writes.
#include "tool/judge/count/device_profiler.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/judge_bench.h"
#include "tool/os/files/files.h"

namespace hone::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

// Runs the program behind its options; $table is where the table should go, $metrics what was asked for.
constexpr const char* beginning = R"(#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    --log-file) table=$2; shift 2 ;;
    --metrics) metrics=$2; shift 2 ;;
    --csv) shift ;;
    --*) shift 2 ;;
    *) break ;;
  esac
done
)";

constexpr const char* writes_a_table = R"sh(
"$@" || exit $?
{ echo "==PROF== Connected to process 1 ($1)"
  echo '"ID","Kernel Name","Block Size","Grid Size","gpu__time_duration.sum","sm__throughput.avg.pct_of_peak_sustained_elapsed"'
  echo '"","","","","ns","%"'
  echo '"0","kernel(float const *, float *, int)","(256, 1, 1)","(79, 1, 1)","12345","42.5"'
} > "$table"
)sh";

class DeviceProfiler : public ::testing::Test {
 protected:
  DeviceProfiler() {
    fs::permissions(folder_.path(), fs::perms::others_exec | fs::perms::others_read, fs::perm_options::add);
  }

  judge::DeviceProfiling profile(const std::string& script, const std::string& body = "y[i] = 2 * x[i];") {
    const fs::path ncu = folder_.path() / "ncu";
    EXPECT_TRUE(os::write_file_atomically(ncu, beginning + script));
    fs::permissions(ncu, fs::perms::all & ~fs::perms::others_write & ~fs::perms::group_write);
    const KernelSpec spec = Saxpy::spec({20000});
    const std::string object = compile(Saxpy::unit(
        "void kernel(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) " + body + " }", {20000}));
    auto reference = judge::Runner::start(object, {.program = HONE_RUNNER});
    EXPECT_TRUE(reference) << reference.error().message();
    auto c = judge::make_case(spec, *reference, 0, 7, {}, 1u << 30);
    EXPECT_TRUE(c) << c.error().reason;
    auto profiling = judge::profile_on_device(
        spec, object, *c,
        {.program = ncu.string(), .runner = {.program = HONE_RUNNER}, .timeout_seconds = 5, .seed = 3, .alone = [this] {
           ++alone_;
         }});
    EXPECT_TRUE(profiling) << profiling.error().message();
    return profiling ? *profiling : judge::DeviceProfiling{};
  }

  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-profiler-test").value();
  int alone_ = 0;
};

TEST_F(DeviceProfiler, RunsCallInSandboxAndReadsTable) {
  const auto profiling = profile(writes_a_table);
  ASSERT_TRUE(profiling.profile) << profiling.silence << "\n" << profiling.report;
  EXPECT_EQ(profiling.profile->problem, "n=20000");
  EXPECT_DOUBLE_EQ(profiling.profile->seconds, 12.345e-6);
  EXPECT_EQ(profiling.profile->kernels.front().grid, "79, 1, 1");
  EXPECT_EQ(profiling.profile->kernels.front().compute_share, 0.425);
  EXPECT_EQ(alone_, 1) << "once, before the counted call";
}

TEST_F(DeviceProfiler, ReportsWhyTableIsMissing) {
  const auto reserved =
      profile("\"$@\"\necho '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission' > \"$table\"\n");
  EXPECT_FALSE(reserved.profile);
  EXPECT_THAT(reserved.silence, HasSubstr("ERR_NVGPUCTRPERM"));
  const auto silent = profile("exec \"$@\"\n");
  EXPECT_FALSE(silent.profile);
  EXPECT_EQ(silent.silence, "ncu said nothing");
  const auto loud = profile("echo '==ERROR== no such option' >&2; exit 1\n");
  EXPECT_FALSE(loud.profile);
  EXPECT_THAT(loud.silence, AllOf(HasSubstr("under ncu it "), HasSubstr("no such option")));
}

TEST_F(DeviceProfiler, ReportsCrashedCall) {
  const auto crashed = profile(writes_a_table, "y[i] = x[i + (long)1e12];");
  EXPECT_FALSE(crashed.profile);
  EXPECT_THAT(crashed.silence, HasSubstr("under ncu it crashed"));
}

}  // namespace
}  // namespace hone::test
