#include "tool/command/code_options.h"

#include <gtest/gtest.h>

namespace hone {
namespace {

std::string options_of(std::vector<std::string> words) {
  words.insert(words.end(), {"-c", "a.cpp", "-o", "a.o"});
  const CompileFlags flags = split_flags({"/build", "/build/a.cpp", "a.o", std::move(words)}).value();
  return code_options(flags);
}

TEST(CodeOptions, AlwaysNameLevel) {
  EXPECT_EQ(options_of({"g++"}), "-O0");
  EXPECT_EQ(options_of({"g++", "-O"}), "-O1");
  EXPECT_EQ(options_of({"g++", "-O3"}), "-O3");
  EXPECT_EQ(options_of({"g++", "-O6"}), "-O3") << "there is no further one";
  EXPECT_EQ(options_of({"g++", "-Os"}), "-Os");
}

TEST(CodeOptions, KeepLastOfEachKind) {
  EXPECT_EQ(options_of({"g++", "-O3", "-O0", "-O2"}), "-O2");
  EXPECT_EQ(options_of({"g++", "-funroll-loops", "-fno-unroll-loops"}), "-O0 -fno-unroll-loops");
  EXPECT_EQ(options_of({"g++", "-fno-unroll-loops", "-funroll-loops"}), "-O0 -funroll-loops");
  EXPECT_EQ(options_of({"g++", "-ffp-contract=off", "-ffp-contract=fast"}), "-O0 -ffp-contract=fast");
  EXPECT_EQ(options_of({"g++", "--param", "x=1", "--param=y=3", "--param=x=2"}), "-O0 --param x=2 --param y=3");
  EXPECT_EQ(options_of({"clang++", "-mllvm", "-a=1", "-mllvm", "-a=2"}), "-O0 -mllvm -a=2");
}

TEST(CodeOptions, HaveOneSpellingForAnyOrder) {
  EXPECT_EQ(options_of({"g++", "-ftree-vectorize", "-O2", "-fno-math-errno"}),
            options_of({"g++", "-fno-math-errno", "-ftree-vectorize", "-O2"}));
}

TEST(CodeOptions, LeaveTargetToTarget) {
  EXPECT_EQ(options_of({"g++", "-O2", "-march=native", "-mtune=native", "-m64"}), "-O2");
  EXPECT_EQ(options_of({"g++", "-O2", "-mtune=skylake", "-mprefer-vector-width=256"}),
            "-O2 -mprefer-vector-width=256 -mtune=skylake");
}

// Two checkouts, and a build with warnings, debug information or sanitizers, are one build to a variant.
TEST(CodeOptions, LeaveOutWhatShapesNoCode) {
  EXPECT_EQ(options_of({"g++",
                        "-O2",
                        "-g",
                        "-Wall",
                        "-Werror",
                        "-std=c++17",
                        "-fPIC",
                        "-flto=auto",
                        "-Iinc",
                        "-DA",
                        "-fdiagnostics-color=always",
                        "-fdebug-prefix-map=/home/me=.",
                        "-ffile-prefix-map=/a=b",
                        "-ftemplate-depth=900",
                        "-ffunction-sections",
                        "-frandom-seed=a.o",
                        "-fsanitize=address",
                        "-fprofile-generate",
                        "-fvisibility=hidden",
                        "-pipe"}),
            "-O2");
}

TEST(CodeOptions, ReadWordsOfNvccAndItsHostCompiler) {
  EXPECT_EQ(options_of({"/cuda/bin/nvcc", "-forward-unknown-to-host-compiler", "-O3", "-use_fast_math",
                        "--maxrregcount", "64", "-Xptxas=-v,-O2", "-restrict", "-Xcompiler=-fopenmp,-fPIC,-Wall",
                        "-funroll-loops", "-arch=sm_90", "-dc"}),
            "-O3 -Xptxas -O2 -fopenmp -funroll-loops -maxrregcount 64 -restrict");
  EXPECT_EQ(options_of({"/cuda/bin/nvcc", "-O", "2", "-Xcompiler", "-O1"}), "-O1") << "the host compiler has both";
}

}  // namespace
}  // namespace hone
