#include "tool/command/compile_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/os/files/files.h"

namespace hone {
namespace {
using testing::ElementsAre;

CompileFlags split(std::vector<std::string> words) {
  words.insert(words.end(), {"-c", "src/a.cpp", "-o", "a.o"});
  return split_flags({"/build", "/src/a.cpp", "a.o", std::move(words)}).value();
}

TEST(CompileFlags, KeepsCodeGenerationFlags) {
  EXPECT_THAT(split({"g++", "-O3", "-march=native", "-std=gnu++20", "-fopenmp", "-ffast-math", "--param", "x=1"}).unit,
              ElementsAre("-O3", "-march=native", "-std=gnu++20", "-fopenmp", "-ffast-math", "--param", "x=1"));
}

TEST(CompileFlags, KeepsHeaderFlagsForPreprocessorOnly) {
  const CompileFlags flags = split({"g++", "-Iinc", "-I", "b", "-isystem", "s", "-include", "p.h", "-DA=1", "-U", "B"});
  EXPECT_THAT(flags.freeze, ElementsAre("-Iinc", "-I", "b", "-isystem", "s", "-include", "p.h", "-DA=1", "-UB"));
  EXPECT_THAT(flags.unit, ElementsAre("-DA=1", "-UB"));
  EXPECT_THAT(flags.macros, ElementsAre("-DA=1", "-UB"));
}

TEST(CompileFlags, DropsDependencyDebugProfileAndWarningFlags) {
  const CompileFlags flags = split({"g++", "-MD", "-MT", "a.o", "-MF", "a.d", "-g", "-ggdb3", "-pg", "--coverage",
                                    "-flto=auto", "-Wall", "-Werror", "-Wl,-z,now", "-pedantic-errors",
                                    "-fprofile-use=x", "-fdiagnostics-color=always", "-save-temps"});
  EXPECT_THAT(flags.unit, ElementsAre());
  EXPECT_THAT(flags.freeze, ElementsAre());
}

TEST(CompileFlags, DropsFlagsThatContradictSharedObject) {
  EXPECT_THAT(split({"g++", "-fPIE", "-static", "-fvisibility=hidden", "-fsanitize=thread", "-fno-pic", "-lm"}).unit,
              ElementsAre());
}

TEST(CompileFlags, KeepsClangPrecompiledHeaderForPreprocessorOnly) {
  const CompileFlags flags = split({"clang++", "-Xclang", "-include-pch", "-Xclang", "a.pch", "-Xclang", "-ffoo"});
  EXPECT_THAT(flags.freeze, ElementsAre("-Xclang", "-include-pch", "-Xclang", "a.pch", "-Xclang", "-ffoo"));
  EXPECT_THAT(flags.unit, ElementsAre("-Xclang", "-ffoo"));
}

TEST(CompileFlags, KeepsNvccCodeGenerationFlags) {
  const CompileFlags flags = split({"/cuda/bin/nvcc", "-forward-unknown-to-host-compiler", "-DA=1", "-O3", "-std=c++17",
                                    "--generate-code=arch=compute_80,code=[compute_80,sm_80]", "-gencode",
                                    "arch=compute_90,code=sm_90", "-use_fast_math", "--maxrregcount", "64",
                                    "-Xcompiler=-fopenmp,-fPIC,-Wall", "-march=native", "-Xptxas", "-O2", "-dc"});
  EXPECT_TRUE(flags.nvcc);
  EXPECT_THAT(flags.unit, ElementsAre("-forward-unknown-to-host-compiler", "-DA=1", "-O3", "-std=c++17",
                                      "--generate-code=arch=compute_80,code=[compute_80,sm_80]", "-gencode",
                                      "arch=compute_90,code=sm_90", "-use_fast_math", "--maxrregcount", "64",
                                      "-Xcompiler=-fopenmp", "-march=native", "-Xptxas", "-O2", "-rdc=true"));
  EXPECT_THAT(flags.macros, ElementsAre("-DA=1"));
}

TEST(CompileFlags, DropsNvccOutputDebugAndWarningFlags) {
  EXPECT_THAT(split({"nvcc",
                     "-G",
                     "-g",
                     "-lineinfo",
                     "-MD",
                     "-MT",
                     "a.o",
                     "-MF",
                     "a.d",
                     "-Werror",
                     "all-warnings",
                     "-diag-suppress=177",
                     "-Wno-deprecated-gpu-targets",
                     "-Xcompiler=-Wno-unknown-pragmas",
                     "-Xcompiler",
                     "-fvisibility=hidden,-g",
                     "--threads",
                     "4",
                     "-lcublas",
                     "-L/lib",
                     "--keep",
                     "-x",
                     "cu",
                     "-Wall",
                     "--resource-usage",
                     "-frandom-seed=7"})
                  .unit,
              ElementsAre());
}

TEST(CompileFlags, ReadsNvccHostCompiler) {
  EXPECT_EQ(split({"nvcc", "-ccbin=/usr/bin/g++-12"}).host_compiler, "/usr/bin/g++-12");
  EXPECT_EQ(split({"nvcc", "--compiler-bindir", "clang++"}).host_compiler, "clang++");
}

TEST(CompileFlags, SplitsNvccHeaderFlagsOneByOne) {
  const CompileFlags flags = split({"nvcc", "-Iinc,more", "-isystem=s", "-include", "p.h", "--include-path", "b",
                                    "-Xcompiler=-iquote,\"q r\"", "-Xcompiler", "-idirafterlast"});
  EXPECT_THAT(flags.headers,
              ElementsAre(HeaderFlag{"-I=", "inc"}, HeaderFlag{"-I=", "more"}, HeaderFlag{"-isystem=", "s"},
                          HeaderFlag{"-include=", "p.h"}, HeaderFlag{"-I=", "b"}, HeaderFlag{"-iquote,", "q r", true},
                          HeaderFlag{"-idirafter,", "last", true}));
  EXPECT_THAT(flags.freeze, ElementsAre("-I=inc", "-I=more", "-isystem=s", "-include=p.h", "-I=b",
                                        "-Xcompiler=-iquote,\"q r\"", "-Xcompiler=-idirafter,\"last\""));
  EXPECT_THAT(flags.unit, ElementsAre());
  EXPECT_EQ(flags.headers.back().word("else where"), "-Xcompiler=-idirafter,\"else where\"");
}

TEST(CompileFlags, SkipsLauncherBeforeCompiler) {
  EXPECT_EQ(split({"ccache", "g++-12", "-O2"}).compiler, "g++-12");
}

TEST(CompileFlags, ResolvesCompilerAgainstCommandDirectory) {
  EXPECT_EQ(split({"bin/g++", "-O2"}).compiler, "/build/bin/g++");
}

TEST(CompileFlags, ReadsResponseFilesFromCommandDirectory) {
  const os::TemporaryFolder folder = os::TemporaryFolder::create("hone-flags-test").value();
  ASSERT_TRUE(os::write_file_atomically(folder.path() / "flags.rsp", "-O3 -Iinc"));
  const auto flags = split_flags({folder.path(), "a.cpp", "a.o", {"g++", "@flags.rsp", "-c", "a.cpp", "-o", "a.o"}});
  EXPECT_THAT(flags.value().unit, ElementsAre("-O3"));
  const auto nvcc =
      split_flags({folder.path(), "a.cu", "a.o", {"nvcc", "--options-file", "flags.rsp", "-c", "a.cu", "-o", "a.o"}});
  EXPECT_THAT(nvcc.value().unit, ElementsAre("-O3"));
  EXPECT_THAT(nvcc.value().headers, ElementsAre(HeaderFlag{"-I=", "inc"}));
}

TEST(CompileFlags, RejectsCommandThatCompilesNothing) {
  EXPECT_FALSE(split_flags({"/build", "", "", {"g++", "a.o", "-o", "a"}}));
}

}  // namespace
}  // namespace hone
