// nvcc's command lines, as build systems write them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/cuda_kernels.h"
#include "tool/frontend/parse/invocation.h"
#include "tool/frontend/parse/nvcc_line.h"

namespace hone::frontend {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

NvccLine line_of(const std::vector<std::string>& arguments) {
  auto line = read_nvcc_line(arguments, "/");
  EXPECT_TRUE(line) << line.error().message();
  return line.value_or(NvccLine());
}

TEST(NvccLine, ReadsCMakeCommand) {
  const NvccLine line = line_of({"-forward-unknown-to-host-compiler", "-DNDEBUG", "-isystem=/opt/include", "-I/src",
                                 "--generate-code=arch=compute_90,code=[compute_90,sm_90]", "-O3", "-std=c++17", "-MD",
                                 "-MT", "a.o", "-MF", "a.o.d", "-x", "cu", "-c", "a.cu", "-o", "a.o"});
  EXPECT_EQ(line.language, "cu");
  EXPECT_THAT(line.architectures, ElementsAre("compute_90", "sm_90"));
  EXPECT_THAT(line.flags, IsEmpty());
  EXPECT_THAT(line.arguments,
              ElementsAre("-DNDEBUG", "-isystem", "/opt/include", "-I/src", "-O3", "-std=c++17", "a.cu"));
}

TEST(NvccLine, ReadsEverySpellingOfArchitecture) {
  EXPECT_THAT(line_of({"-arch=sm_80", "a.cu"}).architectures, ElementsAre("compute_80", "sm_80"));
  EXPECT_THAT(line_of({"--gpu-architecture", "compute_90", "--gpu-code", "sm_90,sm_90a", "a.cu"}).architectures,
              ElementsAre("sm_90", "sm_90a"));
  EXPECT_THAT(
      line_of({"-gencode", "arch=compute_90,code=sm_90", "-gencode=arch=compute_80,code=sm_80", "a.cu"}).architectures,
      ElementsAre("sm_80", "sm_90"));
  EXPECT_THAT(line_of({"--generate-code", "arch=compute_100,code=\"compute_100\"", "a.cu"}).architectures.size(), 1u);
  EXPECT_THAT(line_of({"-arch=native", "a.cu"}).architectures, ElementsAre("native"));
}

TEST(NvccLine, PassesOnHostCompilerOptions) {
  const NvccLine line = line_of({"-Xcompiler=-fPIC,-march=haswell", "-Xcompiler", "-fopenmp", "--compiler-options",
                                 "-Wall,-Wextra", "-ccbin", "/usr/bin/g++-12", "-Wno-x", "a.cu"});
  EXPECT_EQ(line.host_compiler, "/usr/bin/g++-12");
  EXPECT_THAT(line.arguments, ElementsAre("-fPIC", "-march=haswell", "-fopenmp", "-Wall", "-Wextra", "-Wno-x", "a.cu"));
}

TEST(NvccLine, DoesNotMistakeOptionValueForFile) {
  const NvccLine line = line_of({"-Xptxas", "-v",     "-maxrregcount",  "64",  "--threads", "4",
                                 "-t",      "2",      "-diag-suppress", "177", "-Werror",   "all-warnings",
                                 "-cudart", "static", "-lineinfo",      "-G",  "-dc",       "-odir",
                                 "out",     "--std",  "c++20",          "a.cu"});
  EXPECT_THAT(line.arguments, ElementsAre("-std=c++20", "a.cu"));
}

TEST(NvccLine, ReadsLongAndShortOptionNames) {
  EXPECT_THAT(
      line_of({"--define-macro", "A=1", "-U", "B", "--include-path=/x,/y", "--pre-include", "z.h", "--optimize", "2",
               "-extended-lambda", "-xcu", "-idp", "/", "a.cpp"})
          .arguments,
      ElementsAre("-DA=1", "-UB", "-I/x", "-I/y", "-include", "z.h", "-O2", "-D__CUDACC_EXTENDED_LAMBDA__", "a.cpp"));
  EXPECT_EQ(line_of({"-xcu", "a.cpp"}).language, "cu");
  EXPECT_THAT(line_of({"-gpu-code", "a.cpp"}).arguments, ElementsAre("-gpu-code", "a.cpp")) << "nvcc knows no such one";
}

TEST(NvccLine, KeepsFlagsThatChangeDeviceCode) {
  EXPECT_THAT(
      line_of({"--use_fast_math", "-fmad=false", "-ftz", "true", "--prec-div=false", "-rdc=true", "a.cu"}).flags,
      ElementsAre("fmad=false", "ftz=true", "prec-div=false", "relocatable-device-code=true", "use_fast_math"));
}

TEST(NvccLine, ReadsOptionsFiles) {
  Snippet snippet = cuda_snippet("");
  snippet.with_file("options.rsp", "-I\"/a b/include\" -DX=1\n--options-file more.rsp");
  snippet.with_file("more.rsp", "-arch=sm_90");
  const auto line = read_nvcc_line({"--options-file", "options.rsp", "-optf=more.rsp", "a.cu"}, snippet.folder());
  ASSERT_TRUE(line);
  EXPECT_THAT(line->arguments, ElementsAre("-I/a b/include", "-DX=1", "a.cu"));
  EXPECT_THAT(line->architectures, ElementsAre("compute_90", "sm_90"));
  EXPECT_FALSE(read_nvcc_line({"--options-file", "nowhere.rsp"}, snippet.folder()));
  snippet.with_file("loop.rsp", "--options-file loop.rsp");
  EXPECT_FALSE(read_nvcc_line({"--options-file", "loop.rsp"}, snippet.folder()));
}

Invocation translated(std::vector<std::string> arguments) {
  CompileCommand command;
  command.directory = "/";
  command.arguments = std::move(arguments);
  auto invocation = translate(command, "/resources");
  EXPECT_TRUE(invocation) << (invocation ? "" : invocation.error().message());
  return invocation.value_or(Invocation());
}

TEST(CudaInvocation, RunsHostPassWithArchitectureDefined) {
  const Invocation invocation = translated({"/usr/local/cuda/bin/nvcc", "-arch=sm_80", "-c", "a.cu", "-o", "a.o"});
  ASSERT_TRUE(invocation.cuda);
  EXPECT_EQ(invocation.main_file, "a.cu");
  EXPECT_THAT(invocation.arguments, AllOf(Contains("--cuda-host-only"), Contains("--cuda-gpu-arch=sm_80"),
                                          Contains(HasSubstr("--cuda-path=")), Not(Contains("a.o"))));
  ASSERT_EQ(invocation.headers.size(), 2u);
  EXPECT_THAT(invocation.headers.begin()->second, HasSubstr("#define __CUDA_ARCH__ 800\n"));
}

TEST(CudaInvocation, MapsNewerArchitectureToNewestThatClangKnows) {
  const Invocation invocation =
      translated({"nvcc", "-gencode", "arch=compute_120,code=sm_120", "-x", "cu", "-c", "a.cpp"});
  ASSERT_TRUE(invocation.cuda);
  EXPECT_THAT(invocation.arguments, Contains("--cuda-gpu-arch=sm_90"));
  EXPECT_THAT(invocation.cuda->architectures, ElementsAre("sm_120"));
}

TEST(CudaInvocation, ReadsCppFileAsHostCode) {
  const Invocation invocation = translated({"/usr/local/cuda/bin/nvcc", "-arch=sm_80", "-c", "a.cpp"});
  EXPECT_FALSE(invocation.cuda);
  EXPECT_THAT(invocation.arguments, Not(Contains("--cuda-host-only")));
}

TEST(CudaInvocation, AcceptsClangAsCudaCompiler) {
  Snippet toolkit("");
  toolkit.with_file("include/cuda_runtime.h", "");
  const std::string path = "--cuda-path=" + toolkit.folder().string();
  const Invocation invocation = translated({"clang++-19", "--cuda-gpu-arch=sm_86", path, "-c", "a.cu"});
  ASSERT_TRUE(invocation.cuda);
  EXPECT_THAT(invocation.cuda->architectures, ElementsAre("sm_86"));
  EXPECT_THAT(invocation.arguments, Contains(path));
}

TEST(CudaInvocation, ReportsMissingToolkit) {
  const auto invocation = translate({"/", "a.cu", "", {"/nowhere/bin/nvcc", "-c", "a.cu"}}, "/resources");
  ASSERT_FALSE(invocation);
  EXPECT_THAT(invocation.error().message(), HasSubstr("/nowhere: there is no CUDA toolkit"));
}

}  // namespace
}  // namespace hone::frontend
