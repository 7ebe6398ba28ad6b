// Launches of a variant's own in place of a __global__ kernel's: which kernels may have them, and what nvcc makes of
// the rewritten_launches file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/cuda_objects.h"
#include "tests/frontend/cuda_kernels.h"
#include "tests/frontend/cuda_launches.h"
#include "tests/frontend/first_error.h"
#include "tests/frontend/loaded_unit.h"
#include "tests/worker/launched_kernel.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/frontend/place/rewriter.h"

namespace hone::frontend {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string why_not(const std::string& text) {
  return cuda_snippet(text).find(false).kernels.at(0).spec.own_launch.why_not;
}

class CudaLaunches : public testing::Test {
 protected:
  void SetUp() override { HONE_NEEDS_CUDA(); }
};

TEST_F(CudaLaunches, FindsPlainLaunches) {
  const FoundKernel kernel = cuda_snippet(file(kKernel, kSites)).find(false).kernels.at(0);
  EXPECT_EQ(kernel.spec.own_launch.why_not, "");
  EXPECT_EQ(kernel.spec.own_launch.signature, "static void hone_launch_scale(float *x, int n, cudaStream_t stream)");
  EXPECT_EQ(kernel.spec.own_launch.replaced, "grid((n + kBlock - 1) / kBlock), block(kBlock)");
  EXPECT_EQ(kernel.spec.own_launch.definition,
            "static void hone_launch_scale(float *x, int n, cudaStream_t stream) {\n"
            "  scale<<<(n + kBlock - 1) / kBlock, kBlock, 0, stream>>>(x, n);\n}\n");
  EXPECT_EQ(kernel.launches.sites.size(), 2u);
}

TEST_F(CudaLaunches, FindsLaunchesInLambdasMembersAndOtherNamespaces) {
  EXPECT_EQ(
      why_not(file(kKernel,
                   "struct Runner { float* x; void go(int n) const { [=] { scale<<<n, 256>>>(x, n); }(); } };\n"
                   "}\nusing app::scale;\nvoid outside(float* x) { scale<<<1, 256>>>(x, 1); }\nnamespace app {\n")),
      "");
}

TEST_F(CudaLaunches, AllowsAttributeAndOccupancyQueries) {
  EXPECT_EQ(
      why_not(file(kKernel, kSites + "void ask(int* blocks) {\n"
                                     "  cudaFuncSetAttribute(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 1);\n"
                                     "  cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, scale, 256, 0);\n}\n")),
      "");
}

// Nobody is asked whether another file declares it; there the original is launched, which stays.
TEST_F(CudaLaunches, AllowsExternalKernelWithoutHeaderDeclaration) {
  EXPECT_EQ(why_not(file(kKernel.substr(7), kSites)), "");
}

TEST_F(CudaLaunches, RejectsKernelDeclaredInHeader) {
  Snippet snippet = cuda_snippet(file(kKernel.substr(7), kSites, "#include \"scale.h\"\n"));
  snippet.with_file("scale.h", "namespace app { __global__ void scale(float* x, int n); }\n");
  EXPECT_EQ(snippet.find(false).kernels.at(0).spec.own_launch.why_not,
            "a header declares it, so that other files may launch it");
}

TEST_F(CudaLaunches, RejectsLaunchInIncludedFile) {
  Snippet snippet = cuda_snippet(file(kKernel, kSites + "#include \"more.h\"\n"));
  snippet.with_file("more.h", "inline void more(float* x) { scale<<<1, 1>>>(x, 1); }\n");
  EXPECT_EQ(snippet.find(false).kernels.at(0).spec.own_launch.why_not, "an included file launches it");
}

TEST_F(CudaLaunches, RejectsKernelWithoutLaunch) {
  EXPECT_EQ(why_not(file(kKernel, "")), "no launch of it stands in this file");
}

TEST_F(CudaLaunches, RejectsUseByAddress) {
  EXPECT_EQ(why_not(file(kKernel, kSites + "void* address() { return (void*)&scale; }\n")),
            "line 12 uses it otherwise than by <<<…>>>");
  EXPECT_EQ(why_not(file(kKernel,
                         "void run(float* x, int n) {\n  void* all[] = {&x, &n};\n"
                         "  cudaLaunchKernel(scale, dim3(1), dim3(256), all, 0, 0);\n}\n")),
            "line 10 uses it otherwise than by <<<…>>>");
  EXPECT_EQ(
      why_not(file(kKernel, "void run(float* x) {\n  auto* const kernel = scale;\n  kernel<<<1, 1>>>(x, 1);\n}\n")),
      "line 9 uses it otherwise than by <<<…>>>");
}

TEST_F(CudaLaunches, RejectsLaunchInMacroOrTemplate) {
  EXPECT_EQ(why_not(file(kKernel,
                         "#define LAUNCH(k, ...) k<<<1, 256>>>(__VA_ARGS__)\n"
                         "void run(float* x, int n) { LAUNCH(scale, x, n); }\n")),
            "line 9 launches it in a macro");
  EXPECT_EQ(why_not(file(kKernel,
                         "template <class T> void run(T* x, int n) { scale<<<1, 256>>>(x, n); }\n"
                         "template void run(float*, int);\n")),
            "line 8 launches it in a template");
  EXPECT_EQ(why_not(file(kKernel,
                         "static __global__ void scale(double* x, int n) { x[n] = 1; }\n"
                         "template <class T> void run(T* x, int n) { scale<<<1, 256>>>(x, n); }\n")),
            "line 9 names it in a template");
  EXPECT_EQ(why_not(file(kKernel, "template <int N> void run(float* x) { scale<<<1, N>>>(x, 1); }\n")),
            "line 8 launches it in a template");
  EXPECT_EQ(why_not(file(kKernel, "const auto run = [](auto* x) { scale<<<1, 1>>>((float*)nullptr, 1); };\n")),
            "line 8 launches it in a template");
}

TEST_F(CudaLaunches, AllowsMacrosInLaunchArguments) {
  EXPECT_EQ(why_not(file(kKernel,
                         "#define BLOCKS(n) ((n + 255) / 256)\n#define ALL x, n\n"
                         "void run(float* x, int n) { scale<<<BLOCKS(n), kBlock>>>(x, n); }\n")),
            "");
}

TEST_F(CudaLaunches, RejectsLaunchBeforeDefinition) {
  EXPECT_EQ(why_not(file(kKernel, kSites,
                         "namespace app { static __global__ void scale(float* x, int n);\n"
                         "void early(float* x) { scale<<<1, 1>>>(x, 1); } }\n")),
            "line 2 launches it in front of its definition");
}

TEST_F(CudaLaunches, RejectsLaunchWithDefaultArguments) {
  std::string kernel = kKernel;
  kernel.replace(kernel.find("int n"), 5, "int n = 1");
  EXPECT_EQ(why_not(file(kernel, "void run(float* x) { scale<<<1, 1>>>(x); }\n")),
            "line 8 launches it with arguments left to their defaults");
}

TEST_F(CudaLaunches, RejectsTemplateInstance) {
  const std::string kernel = "template <class T> " + kKernel.substr(7);
  const std::string clauses = kClauses.substr(0, kClauses.size() - 1) + " instantiate(T=float)\n";
  EXPECT_EQ(why_not("constexpr int kBlock = 256;\n" + clauses +
                    "template <class T> __global__ void scale(T* x, int n) { x[threadIdx.x] *= 2; }\n"
                    "void run(float* x) { scale<float><<<1, 1>>>(x, 1); }\n"),
            "it is an instance of a template");
}

// nvcc's work on a text.
struct Compiled {
  Compiled(const Snippet& snippet, const std::string& text, const std::string& flags) {
    const std::string base = snippet.folder().string() + "/text";
    EXPECT_TRUE(os::write_file_atomically(base + ".cu", text));
    const std::string command = std::string(kNvcc) + " " + tests::quick_dialect + " -arch=sm_90 -I" +
                                snippet.folder().string() + " " + flags + " -o " + base + ".out " + base + ".cu > " +
                                base + ".log 2>&1";
    ok = std::system(command.c_str()) == 0;
    log = os::read_file(base + ".log").value_or("");
    output = base + ".out";
  }
  bool ok = false;
  std::string log, output;
};

TEST_F(CudaLaunches, HarnessCallsLauncherOfCandidate) {
  const Snippet snippet = cuda_snippet(file(kKernel, kSites));
  KernelSpec spec = snippet.kernel();
  const std::string flags =
      "-Werror all-warnings -shared -Xcompiler -fPIC,-Wall,-Werror,-Wno-unused-function -Xlinker --no-undefined";
  const Compiled original(snippet, whole(spec), flags);
  EXPECT_TRUE(original.ok) << original.log;
  // Which of the two the harness calls shows without a device: the one that ends the process.
  spec.unit.definition =
      kKernel + "#include <cstdlib>\n" + launcher("  std::_Exit(n == 1000 && !stream && !x ? 42 : 1);\n");
  spec.unit.harness +=
      "int main() {\n  void *x = nullptr;\n  int n = 0;\n  void* slots[] = {&x, &n};\n"
      "  slots[0] = nullptr;\n  hone_problem(0, slots);\n  hone_call(slots, nullptr);\n}\n";
  for (const auto& [definition, code] : {std::pair{spec.unit.definition, 42}, {kKernel, 0}}) {
    spec.unit.definition = definition;
    const Compiled program(snippet, whole(spec), "");
    ASSERT_TRUE(program.ok) << program.log;
    EXPECT_EQ(WEXITSTATUS(std::system(program.output.c_str())), code);
  }
}

// The judge's own test has no Clang to ask for it.
TEST_F(CudaLaunches, HarnessMatchesFileOfJudgeTests) {
  const Snippet snippet = cuda_snippet(test::launched_file);
  const KernelSpec spec = snippet.kernel();
  EXPECT_EQ(spec.expression_count, 2u);
  EXPECT_EQ(spec.unit.harness, os::read_file(HONE_LAUNCHED_HARNESS).value_or("")) << "bring the file up to date";
  EXPECT_EQ(gate(spec, test::with_own_launch("four_at_a_time<<<(n + 1023) / 1024, 256, 0, stream>>>(x, y, n);"),
                 snippet.command(), {}),
            "");
}

std::string rewritten_launches(const Snippet& snippet, const std::string& variant) {
  const FoundKernel kernel = snippet.find(false).kernels.at(0);
  auto ready = replacement(kernel, variant, "hone/cas/1");
  return ready ? rewrite(snippet.text(), "main.cu", {std::move(*ready)}) : ready.error().what;
}

TEST_F(CudaLaunches, RewritesLaunchesOnTheirLines) {
  const Snippet snippet = cuda_snippet(
      file(kKernel,
           "void run(float* x, int n, cudaStream_t s) {\n  app::\n      scale  // why\n    <<<dim3(n), 256, 0, s>>>\n"
           "    (x, n); static_assert(__LINE__ == 12, \"\");\n  switch (n) { case 1:scale<<<n, 256>>>(x, n); }\n}\n"));
  const std::string text = rewritten_launches(snippet, kCandidate);
  EXPECT_THAT(text, HasSubstr("\n   ::app::hone_start_scale_"));
  EXPECT_THAT(text, HasSubstr("  // why\n    (dim3(n), 256, 0, s)\n    (x, n); static_assert"));
  EXPECT_THAT(text, HasSubstr("case 1: ::app::hone_start_scale_"));
  EXPECT_EQ(first_error(snippet.command(), text, {}), "");
  const Compiled compiled(snippet, text,
                          "-c -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror,-Wno-unknown-pragmas");
  EXPECT_TRUE(compiled.ok) << compiled.log << text;
}

TEST_F(CudaLaunches, RewritesLaunchesOfKernelsWithSameName) {
  const std::string clauses = "#pragma hone kernel inout(x[0:1]) launch(grid(1), block(32, 2))\n";
  Snippet snippet = cuda_snippet(
      "namespace one { namespace {\n" + clauses + "__global__ void scale(float* x) { x[0] *= 2; }\n} }\n" +
      "#pragma hone kernel inout(x[0:1]) launch(grid(1), block(32, 2))\n"
      "extern \"C\" __global__ void scale(float* x) { x[0] *= 3; }\n"
      "struct Pair { float a, b; };\nnamespace one {\n"
      "#pragma hone kernel inout(x[0:1]) launch(grid(1), block(32, 2)) name(pairs)\n"
      "static __global__ void __launch_bounds__(64) scale(Pair* x, const double) { x->a *= 4; }\n}\n"
      "namespace one { void go(float* x) { scale<<<1, dim3(32, 2)>>>(x); ::scale<<<1, dim3(32, 2)>>>(x); } }\n"
      "int main() {\n  one::scale<<<1, dim3(32, 2)>>>((Pair*)nullptr, 1);\n}\n");
  const FoundKernels found = snippet.find(false);
  ASSERT_EQ(found.kernels.size(), 3u);
  std::vector<Replacement> replacements;
  for (const auto& [kernel, parameters] : {std::pair{&found.kernels[0], "float* x"},
                                           {&found.kernels[1], "float* x"},
                                           {&found.kernels[2], "Pair* x, double"}}) {
    const Placement& place = kernel->placement;
    const std::string variant = snippet.text().substr(place.begin, place.end - place.begin) +
                                "\nstatic void hone_launch_scale(" + parameters + ", cudaStream_t stream) {}\n";
    auto ready = replacement(*kernel, variant, "variant");
    ASSERT_TRUE(ready) << ready.error().what;
    EXPECT_EQ(ready->launches.sites.size(), 1u);
    replacements.push_back(std::move(*ready));
  }
  const std::string text = rewrite(snippet.text(), "main.cu", std::move(replacements));
  const Compiled compiled(snippet, text, "-c");
  EXPECT_TRUE(compiled.ok) << compiled.log << text;
}

TEST_F(CudaLaunches, KeepsLaunchesWhenVariantHasNoLauncher) {
  const Snippet snippet = cuda_snippet(file(kKernel, kSites));
  const std::string text = rewritten_launches(snippet, kKernel);
  EXPECT_THAT(text, AllOf(HasSubstr("scale<<<(n + 255) / 256, 256, 0, s>>>(x, n)"), Not(HasSubstr("hone_start"))));
}

TEST_F(CudaLaunches, RejectsVariantWhenLaunchesCannotBeRewritten) {
  const Snippet snippet = cuda_snippet(file(kKernel, kSites + "auto* const pointer = scale;\n"));
  EXPECT_EQ(rewritten_launches(snippet, kCandidate),
            "it launches kernels of its own, and line 12 uses it otherwise than by <<<…>>>");
}

// What is launched shows without a device too, by functions that the linker takes for CUDA's.
TEST_F(CudaLaunches, ReplacesOnlyLaunchesThatMatchAnnotation) {
  const Snippet snippet = cuda_snippet(
      "#include <cstdio>\n" +
      file(kKernel,
           "void run(float* x, int n) {\n  int calls = 0;\n"
           "  scale<<<(n + 255) / 256, 256>>>((++calls, x), n);\n"
           "  scale<<<dim3(4, 1, 1), dim3(256), (++calls, 0), 0>>>(x, n);\n"
           "  scale<<<2, 256>>>(x, n);\n  scale<<<4, 128>>>(x, n);\n  scale<<<4, 256, 8>>>(x, n);\n"
           "  scale<<<0, 256>>>(x, 0);\n  std::printf(\"%d\", calls);\n}\n") +
      "int main() { app::run(nullptr, 1000); }\n"
      "extern \"C\" cudaError_t cudaLaunchKernel(const void*, dim3 grid, dim3 block, void**, size_t shared, "
      "cudaStream_t) {\n  std::printf(\"%ux%u+%zu \", grid.x, block.x, shared);\n  return cudaSuccess;\n}\n");
  const std::string variant = kKernel + kOwnKernel + launcher("  four<<<(n + 1023) / 1024, 99, 0, stream>>>(x, n);\n");
  std::vector<std::string> outputs;
  for (const std::string& text : {snippet.text(), rewritten_launches(snippet, variant)}) {
    const Compiled program(snippet, text, "-Xlinker --allow-multiple-definition");
    ASSERT_TRUE(program.ok) << program.log << text;
    const std::string out = snippet.folder().string() + "/said";
    ASSERT_EQ(std::system((program.output + " > " + out).c_str()), 0);
    outputs.push_back(os::read_file(out).value_or(""));
  }
  EXPECT_EQ(outputs[0], "4x256+0 4x256+0 2x256+0 4x128+0 4x256+8 0x256+0 2");
  EXPECT_EQ(outputs[1], "1x99+0 1x99+0 2x256+0 4x128+0 4x256+8 0x256+0 2");
}

}  // namespace
}  // namespace hone::frontend
