// What callgrind writes down, read.
#include "tool/judge/count/callgrind.h"

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/os/files/files.h"

namespace hone::judge {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// As callgrind 3.19 writes: zeros at the end left out, an inlined file between, a call with its inclusive cost behind.
constexpr const char* written = R"(# callgrind format
version: 1
creator: callgrind-3.19.0
positions: line
events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim
summary: 1800 300 40 9 30 10 9 20 5 100 10 3 1

ob=/tmp/candidate.so
fl=/work/candidate
fn=kernel(float const*, float*, int)
7 1000 200 0 3 20 0 3 15 0 60 6
9 400 50 40 0 5 10 0 3 5 20 2
fi=/usr/include/c++/12/cmath
120 100 10
fe=/work/candidate
7 100 10 0 0 5
calls=1 3
7 999999 999999
fl=(libm)
fn=expf
3 200 30 0 0 0 0 0 2 0 20 2
totals: 1800 300 40 9 30 10 9 20 5 100 10 3 1
)";

TEST(Callgrind, SumsCountsWithoutInclusiveCostOfCalls) {
  const auto counts = read_callgrind(written);
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->instructions, 1800);
  EXPECT_EQ(counts->accesses, 340);
  EXPECT_EQ(counts->first_level_misses, 40);
  EXPECT_EQ(counts->last_level_misses, 25);
  EXPECT_EQ(counts->branches, 100);
  EXPECT_EQ(counts->mispredictions, 10);
}

TEST(Callgrind, ListsCandidateLinesBusiestFirst) {
  const auto counts = read_callgrind(written);
  ASSERT_TRUE(counts);
  EXPECT_THAT(counts->lines, ElementsAre(testing::Field(&LineCounts::line, 7), testing::Field(&LineCounts::line, 9)));
  EXPECT_EQ(counts->lines[0].instructions, 1100);
  EXPECT_EQ(counts->lines[0].first_level_misses, 25);
}

TEST(Callgrind, RejectsInvalidAndEmptyCounts) {
  EXPECT_FALSE(read_callgrind(""));
  EXPECT_FALSE(read_callgrind("events: Ir\nsummary: 0\n"));
  EXPECT_FALSE(read_callgrind("7 1000\n"));                     // no events yet
  EXPECT_FALSE(read_callgrind("events: Ir\n7 -3\n8 x\n9 1 "));  // neither
  EXPECT_FALSE(read_callgrind("events: Dr\n7 12\n"));           // no instructions
}

TEST(Callgrind, RejectsRowsWithTooManyColumns) {
  std::string row = "events: Ir\n3";
  for (int i = 0; i < 1000; ++i) row += " 5";
  EXPECT_FALSE(read_callgrind(row + "\n"));
  const auto counts = read_callgrind("events: Ir\n3 5 6 7\n");
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->instructions, 5);
  EXPECT_THAT(counts->lines, IsEmpty());
}

// It is started in another folder.
TEST(Valgrind, IsIgnoredInRelativePathFolders) {
  const auto folder = os::TemporaryFolder::create("hone-valgrind");
  ASSERT_TRUE(folder);
  const auto program = folder->path() / "valgrind";
  ASSERT_TRUE(os::write_file_atomically(program, "#!/bin/sh\n"));
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  const auto relative = std::filesystem::relative(folder->path());
  ::setenv("PATH", (relative.string() + ":").c_str(), 1);
  EXPECT_EQ(find_valgrind(), std::nullopt);
  ::setenv("PATH", (relative.string() + ":" + folder->path().string()).c_str(), 1);
  EXPECT_EQ(find_valgrind(), program.string());
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace hone::judge
