#include "cache/target_fit.h"

#include <gtest/gtest.h>

namespace hone::cache {
namespace {

TargetFit fit(const std::string& earlier, const std::string& here) {
  return target_fit(TunedFor{earlier, "gcc -O3"}, {here, "gcc -O3"});
}

TEST(TargetFit, IsExactForSameTargetCompilerAndOptions) {
  EXPECT_EQ(fit("x86_64 avx avx2", "x86_64 avx avx2"), TargetFit::exact);
  EXPECT_EQ(fit("cuda compute_90 sm_90", "cuda sm_90 compute_90"), TargetFit::exact);
}

TEST(TargetFit, HasSameFeaturesWithOtherOptionsOrWhereNobodyNotedThem) {
  EXPECT_EQ(target_fit(TunedFor{"x86_64 avx", "gcc -O2"}, {"x86_64 avx", "gcc -O3"}), TargetFit::same_features);
  EXPECT_EQ(target_fit(TunedFor{"x86_64 avx", ""}, {"x86_64 avx", "gcc -O3"}), TargetFit::same_features);
}

TEST(TargetFit, IsCompatibleWhereAllThatItMayUseIsHere) {
  EXPECT_EQ(fit("x86_64 avx", "x86_64 avx avx2"), TargetFit::compatible);
  EXPECT_EQ(fit("cuda compute_80 sm_80", "cuda compute_90 sm_90"), TargetFit::compatible);
  EXPECT_EQ(fit("cuda compute_80 sm_80", "cuda compute_80 sm_80 sm_90"), TargetFit::compatible);
}

TEST(TargetFit, IsNoneWithoutAFeatureOnOlderDevicesAndWithOtherFamilies) {
  EXPECT_EQ(fit("x86_64 avx avx2", "x86_64 avx"), TargetFit::none);
  EXPECT_EQ(fit("x86_64", "aarch64"), TargetFit::none);
  EXPECT_EQ(fit("cuda compute_90 sm_90", "cuda compute_80 sm_80 sm_90"), TargetFit::none);
  EXPECT_EQ(fit("cuda compute_90 sm_90 x86_64 avx2", "cuda compute_90 sm_90 x86_64"), TargetFit::none);
  EXPECT_EQ(fit("cuda compute_90 sm_90", "x86_64"), TargetFit::none);
  EXPECT_EQ(target_fit(TunedFor{"x86_64", "clang -O3"}, {"x86_64", "gcc -O3"}), TargetFit::none);
}

}  // namespace
}  // namespace hone::cache
