// ncu's table, read; its command line; what its failures come to.
#include "tool/judge/count/ncu.h"

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/os/files/files.h"

namespace hone::judge {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::SizeIs;

// As ncu 2025.3 writes it, with fewer columns; the whole of one that it wrote is ncu_table_h200.txt.
const std::string head =
    "==PROF== Connected to process 4711 (/tmp/p)\n"
    R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC",)"
    R"("dram__bytes_read.sum","dram__throughput.avg.pct_of_peak_sustained_elapsed","gpu__time_duration.sum","launch__registers_per_thread","launch__shared_mem_per_block_static")"
    "\n"
    R"("","","","","","","","","","","","byte","%","ns","register/thread","byte/block")"
    "\n";

std::string launch(const std::string& kernel, const std::string& grid, const std::string& read,
                   const std::string& share, const std::string& time, const std::string& registers = "24") {
  return "\"0\",\"4711\",\"p\",\"127.0.0.1\",\"" + kernel + "\",\"1\",\"7\",\"(256, 1, 1)\",\"" + grid +
         "\",\"0\",\"9.0\",\"" + read + "\",\"" + share + "\",\"" + time + "\",\"" + registers + "\",\"1024\"\n";
}

TEST(NcuTable, ConvertsMetricsToSecondsSharesAndBytes) {
  const auto profile =
      read_ncu(head + launch("saxpy(float, const float *)", "(65536, 1, 1)", "134217728", "91.5", "58900"));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches, 1u);
  EXPECT_DOUBLE_EQ(profile->seconds, 58.9e-6);
  ASSERT_THAT(profile->kernels, SizeIs(1));
  const LaunchCounters& kernel = profile->kernels.front();
  EXPECT_EQ(kernel.kernel, "saxpy(float, const float *)");
  EXPECT_EQ(kernel.grid, "65536, 1, 1");
  EXPECT_EQ(kernel.block, "256, 1, 1");
  EXPECT_DOUBLE_EQ(kernel.seconds, 58.9e-6);
  EXPECT_THAT(kernel.dram_share, Optional(DoubleNear(0.915, 1e-9)));
  EXPECT_THAT(kernel.bytes_read, Optional(134217728.0));
  EXPECT_THAT(kernel.registers, Optional(24.0));
  EXPECT_THAT(kernel.static_shared_bytes, Optional(1024.0));
  EXPECT_EQ(kernel.compute_share, std::nullopt) << "the table has no such column";
}

// Of seven kernels on an H200, each made to be limited by something else.
TEST(NcuTable, ReadsEveryMetricOfRealTable) {
  const std::string text = os::read_file(NCU_TABLE).value();
  const auto profile = read_ncu(text);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches, 7u);
  ASSERT_THAT(profile->kernels, SizeIs(7));
  EXPECT_DOUBLE_EQ(profile->seconds, 882016e-9);
  // It was written before instructions were counted: CudaProfile.CountsEachLaunchOfOneCall asks a device for all.
  for (const LaunchCounters& kernel : profile->kernels)
    for (const LaunchFigure& figure : launch_figures())
      EXPECT_EQ((kernel.*figure.value).has_value(), !std::string_view(figure.name).ends_with("_instructions") &&
                                                        !std::string_view(figure.name).ends_with("_multiply_adds"))
          << kernel.kernel << ": " << figure.metric;
  const LaunchCounters& longest = profile->kernels.front();
  EXPECT_EQ(longest.kernel, "void fma_loop<float, 4096>(T1 *, T1)");
  EXPECT_THAT(longest.compute_share, Optional(DoubleNear(0.6513, 1e-9)));
  EXPECT_THAT(longest.waves, Optional(3.88));
  const LaunchCounters& scattered = profile->kernels[1];
  EXPECT_EQ(scattered.kernel, "transpose(const float *, float *, int)");
  EXPECT_EQ(scattered.grid, "128, 512, 1");
  EXPECT_THAT(scattered.store_sectors, Optional(32.03));
  EXPECT_THAT(scattered.bytes_read, Optional(70478848.0));
}

TEST(NcuTable, MergesEqualLaunchesAndSortsByDuration) {
  const auto profile = read_ncu(
      head + launch("a(int)", "(1, 1, 1)", "1", "1", "1000") + launch("b(int)", "(1, 1, 1)", "1", "10", "1500") +
      launch("a(int)", "(1, 1, 1)", "1", "2", "3000") + launch("a(int)", "(2, 1, 1)", "1", "3", "500"));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->launches, 4u);
  EXPECT_DOUBLE_EQ(profile->seconds, 6e-6);
  ASSERT_THAT(profile->kernels, SizeIs(3));
  EXPECT_EQ(profile->kernels[0].kernel, "a(int)");
  EXPECT_EQ(profile->kernels[0].times, 2u);
  EXPECT_DOUBLE_EQ(profile->kernels[0].total_seconds, 4e-6);
  EXPECT_DOUBLE_EQ(profile->kernels[0].seconds, 3e-6);
  EXPECT_THAT(profile->kernels[0].dram_share, Optional(0.02)) << "the figures are the longest launch's";
  EXPECT_EQ(profile->kernels[1].kernel, "b(int)");
  EXPECT_EQ(profile->kernels[2].grid, "2, 1, 1");
}

TEST(NcuTable, IgnoresCellsThatAreNotNumbers) {
  for (const char* absent : {"", "n/a", "nan", "inf", "-3", "12x", "1,23", ",123", "1234,567", "0x10", "1e999", " 5"}) {
    const auto profile = read_ncu(head + launch("a(int)", "(1, 1, 1)", absent, absent, "1000", absent));
    ASSERT_TRUE(profile) << absent;
    const LaunchCounters& kernel = profile->kernels.front();
    EXPECT_EQ(kernel.bytes_read, std::nullopt) << absent;
    EXPECT_EQ(kernel.dram_share, std::nullopt) << absent;
    EXPECT_EQ(kernel.registers, std::nullopt) << absent;
  }
  EXPECT_FALSE(read_ncu(head + launch("a(int)", "(1, 1, 1)", "1", "1", "n/a"))) << "and no launch without its time";
  EXPECT_FALSE(read_ncu(head + launch("a(int)", "(1, 1, 1)", "1", "1", "0")));
}

TEST(NcuTable, ReadsThousandsSeparatorsAndScaledUnits) {
  std::string scaled = head;
  scaled.replace(scaled.find("\"byte\",\"%\",\"ns\""), 15, "\"Mbyte\",\"%\",\"usecond\"");
  const auto profile = read_ncu(scaled + launch("a(int)", "(1, 1, 1)", "1,234,567.5", "9", "1,250.25"));
  ASSERT_TRUE(profile);
  EXPECT_THAT(profile->kernels.front().bytes_read, Optional(1234567.5e6));
  EXPECT_DOUBLE_EQ(profile->seconds, 1250.25e-6);
  scaled.replace(scaled.find("\"usecond\""), 9, "\"fortnight\"");
  EXPECT_FALSE(read_ncu(scaled + launch("a(int)", "(1, 1, 1)", "1", "9", "1")));
}

TEST(NcuTable, ReadsQuotedKernelNamesAndDropsControlCharacters) {
  const auto profile =
      read_ncu(head + launch("void f<(char)34, \"\"x\"\">(int *, \x1b[31mint)", "(1, 1, 1)", "1", "1", "1000"));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->kernels.front().kernel, "void f<(char)34, \"x\">(int *, int)");
  const auto odd = read_ncu(head + launch(std::string(5000, 'k'), "(1; rm -rf, 1, 1)", "1", "1", "1000"));
  ASSERT_TRUE(odd);
  EXPECT_THAT(odd->kernels.front().kernel, SizeIs(160));
  EXPECT_EQ(odd->kernels.front().grid, "");
}

TEST(NcuTable, RejectsForeignAndTruncatedText) {
  const std::string row = launch("a(int)", "(1, 1, 1)", "1", "1", "1000");
  EXPECT_TRUE(read_ncu(head + row));
  EXPECT_FALSE(read_ncu(""));
  EXPECT_FALSE(read_ncu(row));
  EXPECT_FALSE(read_ncu(head));
  EXPECT_FALSE(read_ncu("==ERROR== Failed to prepare kernel for profiling\n"));
  EXPECT_FALSE(read_ncu(head + row.substr(0, row.size() / 2))) << "a row without its end";
  EXPECT_FALSE(read_ncu(head + "\"1\",\"2\"\n")) << "too few cells";
  EXPECT_FALSE(read_ncu(head.substr(0, head.rfind("\"\",\"\",")) + row)) << "no units";
  EXPECT_FALSE(read_ncu(head + std::string(2u << 20, ' ') + row)) << "too large";
  for (std::size_t length = 0; length < head.size(); length += 7) EXPECT_FALSE(read_ncu(head.substr(0, length)));
}

TEST(NcuTable, LimitsKernelsAndRows) {
  std::string table = head;
  for (int i = 0; i < 1000; ++i) table += launch("k" + std::to_string(i) + "()", "(1, 1, 1)", "1", "1", "1000");
  const auto profile = read_ncu(table);
  ASSERT_TRUE(profile);
  EXPECT_THAT(profile->kernels, SizeIs(8));
  EXPECT_EQ(profile->launches, 256u);
}

TEST(NcuCommand, RequestsEachMetricOnceWithoutClockControl) {
  const auto command = ncu_command("/opt/ncu", "/tmp/x/ncu.csv");
  EXPECT_EQ(command.front(), "/opt/ncu");
  EXPECT_EQ(command.back(), "/tmp/x/ncu.csv");
  const std::string metrics = *(std::ranges::find(command, "--metrics") + 1) + ",";
  EXPECT_THAT(metrics, HasSubstr("gpu__time_duration.sum,"));
  for (const LaunchFigure& figure : launch_figures()) {
    const std::string one = std::string(figure.metric) + ",";
    EXPECT_THAT(metrics, HasSubstr(one));
    EXPECT_EQ(metrics.find(one), metrics.rfind(one)) << one;
  }
  EXPECT_EQ(*(std::ranges::find(command, "--clock-control") + 1), "none");
  EXPECT_EQ(*(std::ranges::find(command, "--profile-from-start") + 1), "off");
}

TEST(Ncu, ExplainsWhyCountingFailed) {
  EXPECT_THAT(
      why_ncu_failed("==PROF== Connected to process 12 (/tmp/p)\n==ERROR== ERR_NVGPUCTRPERM - The user does not "
                     "have permission to access NVIDIA GPU Performance Counters on the target device 0.\n"),
      AllOf(HasSubstr("for administrators"), HasSubstr("https://developer.nvidia.com/ERR_NVGPUCTRPERM")));
  EXPECT_THAT(why_ncu_failed("==ERROR== Failed to initialize the profiler: LibraryNotLoaded\n"), HasSubstr("gVisor"));
  EXPECT_THAT(why_ncu_failed("==ERROR== Profiling failed because a driver resource was unavailable. Ensure that no "
                             "other tool (like DCGM) is concurrently collecting profiling data.\n"),
              HasSubstr("DCGM, holds the device's counters"));
  EXPECT_EQ(why_ncu_failed("x\n==ERROR== Something\x1b[1m else\n==WARNING== No kernels were profiled.\n"),
            "ncu says: Something else");
  EXPECT_EQ(why_ncu_failed("==WARNING== No kernels were profiled.\n"), "ncu saw the call launch no kernel");
  EXPECT_EQ(why_ncu_failed(""), "ncu said nothing");
  EXPECT_EQ(why_ncu_failed("==ERROR== "), "ncu says: ");
}

TEST(Ncu, ReportsItsVersion) {
  EXPECT_EQ(ncu_version("NVIDIA (R) Nsight Compute Command Line Profiler\nCopyright (c) 2018-2025 NVIDIA Corporation\n"
                        "Version 2025.3.1.0 (build 36398880) (public-release)\n"),
            "Version 2025.3.1.0 (build 36398880) (public-release)");
  EXPECT_EQ(ncu_version("something\nelse"), "something");
}

TEST(Ncu, DetectsCountersReservedForAdministrators) {
  EXPECT_TRUE(are_counters_reserved("ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\nOther: 0\n"));
  EXPECT_FALSE(are_counters_reserved("RmProfilingAdminOnly: 0\n"));
  EXPECT_FALSE(are_counters_reserved(""));
}

// It is started in another folder.
TEST(Ncu, IsIgnoredInRelativePathFolders) {
  const auto folder = os::TemporaryFolder::create("hone-ncu");
  ASSERT_TRUE(folder);
  const auto program = folder->path() / "ncu";
  ASSERT_TRUE(os::write_file_atomically(program, "#!/bin/sh\n"));
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  const auto relative = std::filesystem::relative(folder->path());
  ::setenv("PATH", (relative.string() + ":").c_str(), 1);
  EXPECT_NE(find_ncu(), program.string());
  ::setenv("PATH", (relative.string() + ":" + folder->path().string()).c_str(), 1);
  EXPECT_EQ(find_ncu(), program.string());
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(ncu_folders(program.string()), Contains(folder->path().string()));
}

}  // namespace
}  // namespace hone::judge
