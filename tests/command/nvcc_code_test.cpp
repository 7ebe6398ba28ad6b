// What code for devices nvcc's flags ask for, and what is left of them for one device.
#include "tool/command/nvcc_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone {
namespace {

using testing::ElementsAre;
using Flags = std::vector<std::string>;

// "compute_90: sm_90 compute_90"
Flags generated(const Flags& flags) {
  Flags all;
  for (const GeneratedCode& one : generated_code(flags)) {
    all.push_back(one.architecture + ":");
    for (const std::string& image : one.images) all.back() += " " + image;
  }
  return all;
}

TEST(GeneratedCode, ReadsEverySpellingOfArchitectureFlags) {
  EXPECT_THAT(generated({"-O3", "-gencode", "arch=compute_90,code=[compute_90,sm_90]"}),
              ElementsAre("compute_90: compute_90 sm_90"));
  EXPECT_THAT(generated({"--generate-code=arch=compute_80,code=sm_80", "-gencode=arch=compute_90a,code=\"sm_90a\""}),
              ElementsAre("compute_80: sm_80", "compute_90a: sm_90a"));
  EXPECT_THAT(generated({"-arch=sm_90a"}), ElementsAre("compute_90a: sm_90a compute_90a"));
  EXPECT_THAT(generated({"-arch", "compute_80", "-code=sm_80,sm_86"}), ElementsAre("compute_80: sm_80 sm_86"));
  EXPECT_THAT(generated({"-arch=all-major"}), ElementsAre("all-major: all-major"));
  EXPECT_THAT(generated({"-O3"}), ElementsAre());
}

const Flags two_families = {"-O3",
                            "--generate-code=arch=compute_80,code=[compute_80,sm_80]",
                            "-Xcompiler=-Wall",
                            "-gencode",
                            "arch=compute_90,code=[compute_90,sm_90]",
                            "-DN=3"};

TEST(FlagsForDevice, KeepsOnlyCodeThatDeviceLoads) {
  EXPECT_THAT(
      flags_for_device(two_families, "sm_90"),
      ElementsAre("-O3", "-Xcompiler=-Wall", "-DN=3", "--generate-code=arch=compute_90,code=[compute_90,sm_90]"));
  EXPECT_THAT(
      flags_for_device(two_families, "sm_89"),
      ElementsAre("-O3", "-Xcompiler=-Wall", "-DN=3", "--generate-code=arch=compute_80,code=[compute_80,sm_80]"));
  EXPECT_THAT(flags_for_device(two_families, "sm_120"),
              ElementsAre("-O3", "-Xcompiler=-Wall", "-DN=3", "--generate-code=arch=compute_90,code=[compute_90]"));
  EXPECT_THAT(flags_for_device({"-arch=compute_80", "-code=sm_80,sm_86"}, "sm_86"),
              ElementsAre("--generate-code=arch=compute_80,code=[sm_86]"));
}

TEST(FlagsForDevice, ReturnsFlagsUnchangedWhenNothingIsLeftOut) {
  for (const Flags& flags : {Flags{"-O3", "-arch=sm_90"}, Flags{"-gencode", "arch=compute_90,code=[compute_90,sm_90]"},
                             Flags{"-arch=native", "-O2"}, Flags{"-O2"}})
    EXPECT_EQ(flags_for_device(flags, "sm_90"), flags);
  EXPECT_EQ(flags_for_device(two_families, ""), two_families) << "nobody knows the device";
  EXPECT_EQ(flags_for_device(two_families, "sm_75"), two_families) << "it runs none of them";
}

}  // namespace
}  // namespace hone
