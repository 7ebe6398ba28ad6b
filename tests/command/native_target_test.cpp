#include "tool/command/native_target.h"

#include <gtest/gtest.h>

namespace hone {
namespace {

bool is_native(const std::vector<std::string>& words) {
  return is_for_this_machine(words);
}

TEST(NativeTarget, IsThisMachinesAlone) {
  EXPECT_TRUE(is_native({"g++", "-O3", "-march=native", "-c", "a.cpp"}));
  EXPECT_TRUE(is_native({"clang++", "-mcpu=native", "-c", "a.cpp"}));
  EXPECT_FALSE(is_native({"g++", "-O3", "-march=x86-64-v3", "-c", "a.cpp"}));
  EXPECT_FALSE(is_native({"g++", "-O3", "-mtune=native", "-c", "a.cpp"})) << "it runs elsewhere, too";
  EXPECT_FALSE(is_native({"g++", "-c", "native.cpp"}));
}

TEST(NativeTarget, IsWhatLastOptionSays) {
  EXPECT_FALSE(is_native({"g++", "-march=native", "-march=x86-64-v3", "-c", "a.cpp"}));
  EXPECT_TRUE(is_native({"g++", "-march=x86-64-v3", "-march=native", "-c", "a.cpp"}));
}

TEST(NativeTarget, IsReadThroughNvcc) {
  EXPECT_TRUE(is_native({"nvcc", "-Xcompiler=-O3,-march=native", "-c", "a.cu"}));
  EXPECT_TRUE(is_native({"nvcc", "-Xcompiler", "-march=native,-Wall", "-c", "a.cu"}));
  EXPECT_FALSE(is_native({"nvcc", "-Xcompiler=-march=skylake", "-c", "a.cu"}));
}

}  // namespace
}  // namespace hone
