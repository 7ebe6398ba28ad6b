// Which of an object's code runs on which CUDA device.
#include "tool/command/cuda_architecture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CudaArchitecture, ReadsNumberFromEverySpelling) {
  EXPECT_EQ(architecture_number("sm_90a"), 90u);
  EXPECT_EQ(architecture_number("compute_103"), 103u);
  EXPECT_EQ(architecture_number("native"), 0u);
  EXPECT_EQ(architecture_number(""), 0u);
}

TEST(CudaArchitecture, GroupsByMajorCapability) {
  EXPECT_THAT(code_families("cuda compute_80 compute_90 sm_80 sm_90"), ElementsAre(8u, 9u));
  EXPECT_THAT(code_families("cuda sm_86 sm_89 sm_80"), ElementsAre(8u));
  EXPECT_THAT(code_families("cuda compute_90a sm_90a sm_100f sm_121"), ElementsAre(9u, 10u, 12u));
  EXPECT_THAT(code_families("cuda compute_90 sm_90 x86_64 avx2 sse4.2"), ElementsAre(9u));
  EXPECT_THAT(code_families("x86_64 avx2"), IsEmpty());
}

TEST(CudaArchitecture, PicksCodeOfDeviceFamily) {
  EXPECT_EQ(code_family("cuda compute_80 compute_90 sm_80 sm_90", "sm_90"), 9u);
  EXPECT_EQ(code_family("cuda compute_80 compute_90 sm_80 sm_90", "sm_80"), 8u);
  EXPECT_EQ(code_family("cuda compute_80 compute_90 sm_80 sm_90", "sm_89"), 8u);
  EXPECT_EQ(code_family("cuda compute_90a sm_90a", "sm_90"), 9u);
}

TEST(CudaArchitecture, FallsBackToNewestUsablePtx) {
  EXPECT_EQ(code_family("cuda compute_80 sm_80", "sm_90"), 8u);
  EXPECT_EQ(code_family("cuda compute_75 compute_80 sm_75 sm_80", "sm_120"), 8u);
  EXPECT_EQ(code_family("cuda compute_75 sm_75 sm_86", "sm_80"), 7u) << "8.6's code is too new for 8.0";
  EXPECT_EQ(code_family("cuda compute_90a sm_90a", "sm_100"), 0u) << "neither runs elsewhere";
  EXPECT_EQ(code_family("cuda compute_100f", "sm_103"), 10u);
  EXPECT_EQ(code_family("cuda compute_100f", "sm_120"), 0u);
}

TEST(CudaArchitecture, RunsNothingWithoutUsableCode) {
  EXPECT_EQ(code_family("cuda sm_80 sm_90", "sm_75"), 0u);
  EXPECT_EQ(code_family("cuda sm_80", "sm_90"), 0u);
  EXPECT_EQ(code_family("cuda compute_80 sm_80", ""), 0u);
  EXPECT_EQ(code_family("x86_64 avx2", "sm_90"), 0u);
}

TEST(CudaArchitecture, ListsImagesThatDeviceWouldLoad) {
  const std::string both = "cuda compute_80 compute_90 sm_80 sm_90";
  EXPECT_THAT(images_for(both, "sm_90"), ElementsAre("compute_90", "sm_90"));
  EXPECT_THAT(images_for(both, "sm_86"), ElementsAre("compute_80", "sm_80"));
  EXPECT_THAT(images_for(both, "sm_120"), ElementsAre("compute_90")) << "of the newest PTX, and no machine code";
  EXPECT_THAT(images_for("cuda sm_80 sm_86 sm_89 compute_89", "sm_86"), ElementsAre("sm_86")) << "the nearest";
  EXPECT_THAT(images_for("cuda sm_80 compute_90", "sm_89"), ElementsAre("sm_80"));
  EXPECT_THAT(images_for("cuda compute_90 sm_90a sm_80", "sm_90"), ElementsAre("compute_90", "sm_90a"));
  EXPECT_THAT(images_for("cuda sm_80 sm_90", "sm_75"), IsEmpty());
  EXPECT_THAT(images_for(both, ""), IsEmpty());
}

}  // namespace
}  // namespace hone
