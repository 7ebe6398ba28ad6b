// Annotated kernels in .cu files: what is found, and what is wrong with an annotation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/cuda_kernels.h"
#include "tests/replaced_text.h"
#include "tool/frontend/find/kernel_finder.h"

namespace hone::frontend {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class CudaFinder : public testing::Test {
 protected:
  void SetUp() override { HONE_NEEDS_CUDA(); }
};

constexpr const char* kStep =
    "__global__ void step(const float* x, float* y, int n) { int i = threadIdx.x; if (i < n) y[i] = x[i]; }\n";

std::vector<std::string> cuda_complaints(const std::string& text) {
  return cuda_snippet(text).complaints();
}

TEST_F(CudaFinder, DescribesLauncherWithStream) {
  const KernelSpec spec = cuda_snippet(kSoftmax).kernel();
  EXPECT_TRUE(spec.cuda);
  EXPECT_EQ(spec.language, "cuda c++17");
  EXPECT_EQ(spec.target, "cuda compute_90 sm_90");
  EXPECT_EQ(spec.mangled_name, "_Z7softmaxPKfPfiiP11CUstream_st");
  ASSERT_EQ(spec.parameters.size(), 5u);
  EXPECT_TRUE(spec.parameters[0].pointer);
  EXPECT_EQ(spec.parameters[1].role, Role::out);
  EXPECT_FALSE(spec.parameters[4].pointer);
  EXPECT_TRUE(spec.parameters[4].stream);
  EXPECT_EQ(spec.parameters[4].element.size, sizeof(void*));
  EXPECT_FALSE(spec.parameters[3].stream);
  EXPECT_TRUE(spec.result);
}

TEST_F(CudaFinder, DescribesGlobalKernelWithLaunch) {
  const KernelSpec spec = cuda_snippet(kGemm).kernel();
  EXPECT_TRUE(spec.cuda);
  EXPECT_EQ(spec.mangled_name, "_Z4gemmPKfS0_Pfiii");
  EXPECT_EQ(spec.problems.size(), 1u);
  EXPECT_THAT(spec.unit.definition, testing::StartsWith("__global__ void __launch_bounds__(256) gemm("));
}

TEST_F(CudaFinder, RecognizesProcessorKernelInCudaFile) {
  const KernelSpec spec = cuda_snippet(std::string(kStep) +
                                       "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=10)\n"
                                       "void twice(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) "
                                       "y[i] = 2 * x[i]; }\nvoid launch() { step<<<1, 1>>>(0, 0, 0); }\n")
                              .kernel();
  EXPECT_FALSE(spec.cuda);
  EXPECT_EQ(spec.language, "cuda c++17");
  EXPECT_THAT(spec.target, HasSubstr("x86_64"));
}

TEST_F(CudaFinder, DescribesHalfPrecisionTypes) {
  const KernelSpec spec = cuda_snippet(kHalf).kernel();
  const ScalarType half{ScalarKind::floating, 2};
  ASSERT_EQ(spec.parameters.size(), 4u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(spec.parameters[i].element.fields, ElementsAre(Field{"", half, 0, 1}));
    EXPECT_EQ(spec.parameters[i].element.spelling, "__half");
  }
  const KernelSpec brain = cuda_snippet(
                               "#include <cuda_bf16.h>\nstruct Pair { __nv_bfloat16 low, high; };\n"
                               "__global__ void k(Pair* x) { x[0] = x[1]; }\n"
                               "#pragma hone kernel inout(x[0:2])\nvoid f(Pair* x) { k<<<1, 1>>>(x); }\n")
                               .kernel();
  const ScalarType brain_float{ScalarKind::floating, 2, true};
  EXPECT_THAT(brain.parameters.at(0).element.fields,
              ElementsAre(Field{"low", brain_float, 0, 1}, Field{"high", brain_float, 2, 1}));
}

TEST_F(CudaFinder, ReportsUnknownSmallFloatTypes) {
  EXPECT_THAT(cuda_complaints("#include <cuda_fp8.h>\n__global__ void k(__nv_fp8_e4m3* x) { x[0] = x[1]; }\n"
                              "#pragma hone kernel inout(x[0:2])\nvoid f(__nv_fp8_e4m3* x) { k<<<1, 1>>>(x); }\n"),
              ElementsAre(AllOf(HasSubstr("__nv_fp8_e4m3"), HasSubstr("does not know yet"))));
}

TEST_F(CudaFinder, RequiresLaunchForGlobalKernel) {
  EXPECT_THAT(cuda_complaints("#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=10)\n" + std::string(kStep)),
              ElementsAre(AllOf(testing::StartsWith("1:14: "), HasSubstr("launch(grid(…), block(…))"))));
}

TEST_F(CudaFinder, RejectsLaunchForHostFunction) {
  EXPECT_THAT(cuda_complaints(std::string(kStep) +
                              "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=10) launch(grid(1), block(n))\n"
                              "void run(const float* x, float* y, int n) { step<<<1, n>>>(x, y, n); }\n"),
              ElementsAre(AllOf(testing::StartsWith("2:"), HasSubstr("launches its own"))));
}

TEST_F(CudaFinder, RejectsDeviceFunction) {
  EXPECT_THAT(
      cuda_complaints("#pragma hone kernel in(x[0:n]) problem(n=10)\n__device__ float sum(const float* x, int n) { "
                      "return n ? x[0] : 0; }\n"),
      ElementsAre(HasSubstr("'sum' is called by device code")));
}

TEST_F(CudaFinder, RequiresStreamClauseForStreamParameter) {
  const std::string run =
      "void run(const float* x, float* y, int n, cudaStream_t s) { step<<<1, n, 0, s>>>(x, y, n); }\n";
  const std::string clauses = "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=10) ";
  EXPECT_THAT(cuda_complaints(kStep + clauses + "\n" + run), ElementsAre(HasSubstr("say so with stream(s)")));
  EXPECT_THAT(cuda_complaints(kStep + clauses + "stream(n)\n" + run),
              testing::Contains(HasSubstr("'n' is not a cudaStream_t")));
  EXPECT_THAT(cuda_complaints(kStep + clauses + "stream(t)\n" + run),
              testing::Contains(HasSubstr("no parameter of 'run'")));
  EXPECT_THAT(
      cuda_complaints(clauses + "stream(s)\nvoid run(const float* x, float* y, int n, cudaStream_t s) { for (int i = "
                                "0; i < n; ++i) y[i] = x[i]; }\n"),
      ElementsAre(HasSubstr("launches nothing")));
}

TEST_F(CudaFinder, ReportsPlaceOfMistakeInLaunch) {
  Snippet snippet = cuda_snippet(
      "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=10) launch(grid(^here^nowhere), "
      "block(n))\n" +
      std::string(kStep));
  const auto found = snippet.find();
  ASSERT_EQ(found.diagnostics.size(), 1u);
  EXPECT_THAT(found.diagnostics[0].message, HasSubstr("'nowhere'"));
  EXPECT_EQ(std::pair(found.diagnostics[0].line, found.diagnostics[0].column), snippet.at("here"));
}

TEST_F(CudaFinder, RequiresValuesThatLaunchDependsOn) {
  EXPECT_THAT(
      cuda_complaints("#pragma hone kernel in(x[0:16]) out(y[0:16]) problem(n=16) launch(grid(blocks), block(n))\n"
                      "__global__ void step(const float* x, float* y, int n, int blocks) { y[threadIdx.x] = "
                      "x[threadIdx.x]; }\n"),
      ElementsAre(AllOf(HasSubstr("'blocks'"), HasSubstr("the launch depends"))));
}

TEST_F(CudaFinder, RejectsDeviceMemoryThatOtherCodeFills) {
  const std::string kernel =
      "__global__ void k(float* y) { y[threadIdx.x] = w[threadIdx.x]; }\n"
      "#pragma hone kernel out(y[0:4])\nvoid f(float* y) { k<<<1, 4>>>(y); }\n";
  EXPECT_THAT(cuda_complaints("__constant__ float w[4];\n" + kernel),
              ElementsAre(HasSubstr("__constant__ memory 'w'")));
  EXPECT_THAT(cuda_complaints("__device__ float w[4];\n" + kernel), ElementsAre(HasSubstr("variable 'w'")));
  EXPECT_THAT(cuda_complaints("__device__ const float w[4] = {1, 2, 3, 4};\n" + kernel), testing::IsEmpty());
  EXPECT_TRUE(cuda_snippet(kConstant).kernel().cuda);
}

TEST_F(CudaFinder, AcceptsErrorMessageBeforeExit) {
  EXPECT_THAT(
      cuda_complaints("#include <cstdio>\n#include <cstdlib>\n#define CHECK(call) do { cudaError_t e = (call); if (e "
                      "!= cudaSuccess) { std::fprintf(stderr, \"%s\", cudaGetErrorString(e)); std::exit(1); } } while "
                      "(0)\n" +
                      std::string(kStep) +
                      "#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=10)\n"
                      "void run(const float* x, float* y, int n) { step<<<1, n>>>(x, y, n); CHECK(cudaGetLastError()); "
                      "}\n"),
      testing::IsEmpty());
}

TEST_F(CudaFinder, RejectsNativeArchitecture) {
  Snippet snippet = cuda_snippet(kGemm, {"-arch=native", "-std=c++17"});
  EXPECT_THAT(snippet.complaints(), ElementsAre(HasSubstr("'native' does not say which GPU")));
}

TEST_F(CudaFinder, ReportsParseErrorOfClang) {
  Snippet snippet = cuda_snippet("#pragma hone kernel\n__global__ void k() { nothing_of_that_name(); }\n");
  const auto found = find_kernels(snippet.command(), {});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message(), AllOf(HasSubstr("main.cu:2"), HasSubstr("nothing_of_that_name")));
}

std::string key(const std::string& text, std::vector<std::string> flags = {"-arch=sm_90", "-std=c++17"}) {
  return cuda_snippet(text, std::move(flags)).key();
}

TEST_F(CudaFinder, ChangesKeyWithMeaningOfDeviceCode) {
  const std::string original = key(kSoftmax);
  EXPECT_EQ(original, key(test::replaced(kSoftmax, "return x; }", "return 2 * x; }")));
  EXPECT_EQ(original,
            key(kSoftmax, {"--generate-code=arch=compute_90,code=[compute_90,sm_90]", "-std=c++17", "-Wall"}));
  EXPECT_NE(original, key(test::replaced(kSoftmax, "/= 2", ">>= 1"))) << "a __device__ helper";
  EXPECT_NE(original, key(test::replaced(kSoftmax, "fmaxf(high", "fminf(high"))) << "the kernel that is launched";
  EXPECT_NE(original, key(test::replaced(kSoftmax, "#define WARP 32", "#define WARP 16")));
  EXPECT_NE(original, key(test::replaced(kSoftmax, "on_the_host(n, step)", "n + step")))
      << "what only the host's pass reads";
  EXPECT_NE(original, key(test::replaced(kSoftmax, "return (n + step - 1) / step * step; }", "return n * step; }")))
      << "a helper of it";
  EXPECT_NE(original, key(kSoftmax, {"-arch=sm_80", "-std=c++17"}));
  EXPECT_NE(original, key(kSoftmax, {"-arch=sm_90", "-std=c++17", "--use_fast_math"}));
  EXPECT_NE(original, key(kSoftmax, {"-arch=sm_90", "-std=c++17", "-fmad=false"}));
  EXPECT_NE(original, key(kSoftmax, {"-arch=sm_90", "-std=c++17", "-Xcompiler=-march=haswell"}));
  const std::string gemm = key(kGemm);
  EXPECT_EQ(gemm, key(test::replaced(kGemm, "block(kTile, kTile)", "block(kTile, kTile, 1)")));
  EXPECT_NE(gemm, key(test::replaced(kGemm, "block(kTile, kTile)", "block(kTile, kTile, 2)")));
  EXPECT_NE(gemm, key(test::replaced(kGemm, "kTile = 16", "kTile = 8")));
}

}  // namespace
}  // namespace hone::frontend
