#include "tool/command/nvrtc_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone {
namespace {
using testing::ElementsAre;

TEST(NvrtcWords, KeepsDeviceCodeFlagsUnderLongNames) {
  const auto words = nvrtc_words({"-O3", "-std=c++20", "-DA=1", "-UB", "-Xcompiler=-DC=2,-fopenmp", "-use_fast_math",
                                  "-fmad=false", "-maxrregcount", "64", "-Xptxas=-O2", "--expt-relaxed-constexpr",
                                  "-rdc=false", "-forward-unknown-to-host-compiler", "-march=native", "-arch=sm_90"});
  ASSERT_TRUE(words);
  EXPECT_THAT(words->options,
              ElementsAre("--std=c++20", "-DA=1", "-UB", "-DC=2", "--use_fast_math", "--fmad=false",
                          "--maxrregcount=64", "--ptxas-options=-O2", "-D__CUDACC_RELAXED_CONSTEXPR__"));
  EXPECT_THAT(words->images, ElementsAre("sm_90", "compute_90"));
}

TEST(NvrtcWords, ListsImagesOfEachArchitecture) {
  EXPECT_THAT(nvrtc_words({"--generate-code=arch=compute_80,code=[compute_80,sm_80]", "-gencode",
                           "arch=compute_90a,code=sm_90a"})
                  ->images,
              ElementsAre("compute_80", "sm_80", "sm_90a"));
  EXPECT_THAT(nvrtc_words({"-arch=compute_90", "-code=sm_90"})->images, ElementsAre("sm_90"));
}

TEST(NvrtcWords, KeepsOnlyImagesOfKnownDevice) {
  const auto kept = [](const std::string& architecture) {
    NvrtcWords words{{}, {"compute_80", "sm_80", "sm_90", "sm_90a", "sm_100"}};
    keep_images_for(architecture, words);
    return words.images;
  };
  EXPECT_THAT(kept("sm_90"), ElementsAre("sm_90", "sm_90a"));
  EXPECT_THAT(kept("sm_10"), testing::SizeIs(5)) << "it takes what is portable";
  EXPECT_THAT(kept(""), testing::SizeIs(5));
}

TEST(NvrtcWords, RejectsFlagsThatNvrtcTreatsDifferently) {
  EXPECT_FALSE(nvrtc_words({"-O3"})) << "nvcc has a default of its own";
  EXPECT_FALSE(nvrtc_words({"-arch=native"}));
  EXPECT_FALSE(nvrtc_words({"-arch=all-major"}));
  EXPECT_FALSE(nvrtc_words({"-gencode=arch=compute_80,code=sm_86"}));
  EXPECT_FALSE(nvrtc_words({"-arch=sm_90", "-rdc=true"}));
  EXPECT_FALSE(nvrtc_words({"-arch=sm_90", "-Xcicc=-O2"}));
}

TEST(NvrtcWords, DetectsDeviceLinkAfterCompile) {
  EXPECT_TRUE(links_device_code({"-O3", "-rdc=true"}));
  EXPECT_TRUE(links_device_code({"-rdc", "true"}));
  EXPECT_TRUE(links_device_code({"-dlto"}));
  EXPECT_FALSE(links_device_code({"-rdc=true", "-rdc=false", "-O3"}));
}

TEST(NvrtcWords, TranslatesHeaderFlags) {
  EXPECT_EQ(nvrtc_header_word({"-I=", "a"}, "/b"), "--include-path=/b");
  EXPECT_EQ(nvrtc_header_word({"-isystem=", "a"}, "/b"), "--include-path=/b");
  EXPECT_EQ(nvrtc_header_word({"-include=", "a.h"}, "/b.h"), "--pre-include=/b.h");
  EXPECT_EQ(nvrtc_header_word({"-idirafter,", "a", true}, "/b"), std::nullopt);
}

}  // namespace
}  // namespace hone
