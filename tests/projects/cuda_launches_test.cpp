// A program whose __global__ kernel is launched in two places, compiled by `hone cc` with a variant that launches
// kernels of its own, linked by nvcc and run. There need be no device: a cudaLaunchKernel of the program's own, which
// the linker takes for CUDA's, says what is launched. Without nvcc it is skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cuda_objects.h"
#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kKernel = R"(static __global__ void scale(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
)";
constexpr const char* kFront = R"(#include "launches.h"
namespace app {
#pragma hone kernel inout(x[0:n]) problem(n=1000) launch(grid((n + 255) / 256), block(256))
)";
constexpr const char* kSites = R"(
void first(float* x, int n) {
  scale<<<(n + 255) / 256, 256>>>(x, n);
}
void second(float* x, int n, cudaStream_t s) {
  scale<<<(n + 255) / 256, dim3(256), 0, s>>>
      (x, n);
}
void other(float* x, int n) { scale<<<1, 32>>>(x, n); }
}
const char* here() { return __FILE__ ":" HONE_TEXT(__LINE__); }
)";
constexpr const char* kHeader = R"(#define HONE_TEXT(x) HONE_TEXT_OF(x)
#define HONE_TEXT_OF(x) #x
namespace app {
void first(float* x, int n);
void second(float* x, int n, cudaStream_t s);
void other(float* x, int n);
}
const char* here();
)";
constexpr const char* kMain = R"(#include <cstdio>
#include "launches.h"
extern "C" cudaError_t cudaLaunchKernel(const void*, dim3 grid, dim3 block, void**, size_t, cudaStream_t) {
  std::printf("%u x %u\n", grid.x, block.x);
  return cudaSuccess;
}
int main() {
  app::first(nullptr, 1000);
  app::second(nullptr, 3000, nullptr);
  app::other(nullptr, 32);
  std::puts(here());
}
)";
constexpr const char* kFour = R"(static __global__ void four_at_a_time(float* x, int n) {
  const int unused = 0;
  for (int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x), end = min(i + 4, n); i < end; ++i) x[i] *= 2;
}
static void hone_launch_scale(float* x, int n, cudaStream_t stream) {
  four_at_a_time<<<(n + 1023) / 1024, 192, 0, stream>>>(x, n);
}
)";

class CudaLaunches : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_nvcc()) GTEST_SKIP() << "there is no " << nvcc_program;
    write(kSites);
    project.write("launches.h", kHeader);
    project.write("main.cu", kMain);
  }

  void write(const std::string& sites) { project.write("scale.cu", std::string(kFront) + kKernel + sites); }
  std::vector<std::string> nvcc(std::vector<std::string> flags) const {
    flags.insert(flags.begin(), "-arch=sm_90");
    return nvcc_compile(flags, project.source() / "scale.cu", project.object("scale.cu"));
  }
  Outcome compile(const std::vector<std::string>& flags = {}, const std::vector<std::string>& options = {}) const {
    return project.run(under_hone(HONE_PROGRAM, options, nvcc(flags)), project.source());
  }
  void lock(const std::vector<std::string>& flags = {}) const {
    const std::string key = project.key_of_command("app::scale", "scale.cu", nvcc(flags));
    project.lock_variant("app::scale", "scale.cu", key, std::string(kKernel) + kFour);
  }
  // What the whole program says.
  std::string run(const std::vector<std::string>& flags = {}) const {
    std::vector<std::string> command = {nvcc_program, quick_dialect, "-arch=sm_90", "-Xlinker",
                                        "--allow-multiple-definition"};
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {(project.source() / "main.cu").string(), project.object("scale.cu").string(), "-o",
                                   (project.build() / "program").string()});
    const Outcome linked = project.run(command, project.source());
    return linked.ok() ? project.program("program").out : linked.all();
  }
  std::string place() const { return (project.source() / "scale.cu").string() + ":18"; }

  Project project;
};

TEST_F(CudaLaunches, AreReplacedIfTheyMatchAnnotation) {
  ASSERT_TRUE(compile().ok());
  EXPECT_EQ(run(), "4 x 256\n12 x 256\n1 x 32\n" + place() + "\n");
  lock();
  const Outcome compiled = compile();
  EXPECT_TRUE(compiled.ok());
  EXPECT_EQ(compiled.all(), "");
  EXPECT_EQ(run(), "1 x 192\n3 x 192\n1 x 32\n" + place() + "\n");
  const std::string first = project.read(project.object("scale.cu"));
  EXPECT_THAT(first, AllOf(HasSubstr("four_at_a_time"), HasSubstr("scale")));
  fs::remove(project.object("scale.cu"));
  ASSERT_TRUE(compile().ok());
  EXPECT_TRUE(first == project.read(project.object("scale.cu"))) << "two compiles give the same bytes";
}

TEST_F(CudaLaunches, AreReplacedWithoutWarningAndInRelocatableCode) {
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Wno-unknown-pragmas"},
        {"-rdc=true", "-g", "-lineinfo"}}) {
    lock(flags);
    const Outcome compiled = compile(flags);
    EXPECT_EQ(compiled.all(), "");
    EXPECT_THAT(run(flags[0] == "-rdc=true" ? flags : std::vector<std::string>{}), HasSubstr("3 x 192\n"));
  }
}

// The sites are not in the key, so an edit of them may leave the variant without a place.
TEST_F(CudaLaunches, KeepOriginalWithNoteIfTheyCannotBeReplaced) {
  lock();
  write(std::string(kSites) + "void* address() { return (void*)app::scale; }\n");
  const Outcome compiled = compile();
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, AllOf(HasSubstr("scale.cu:3: note: hone: the locked variant of 'app::scale'"),
                                  HasSubstr("line 19 uses it otherwise than by <<<…>>>; the original is compiled;")));
  EXPECT_EQ(count(compiled.err, "\n"), 1u) << compiled.err;
  EXPECT_THAT(run(), HasSubstr("4 x 256\n12 x 256\n"));
  EXPECT_EQ(compile({}, {"--locked"}).code, 1);
}

TEST_F(CudaLaunches, KeepLocationsOfDiagnostics) {
  lock();
  write(std::string(kSites) + "void wrong(float* x) { app::scale<<<1, 1>>>(x, nowhere); }\n");
  const Outcome compiled = compile(), plain = project.run(nvcc({}), project.source());
  EXPECT_FALSE(compiled.ok());
  EXPECT_EQ(compiled.all(), plain.all());
  write(std::string(kSites) + "void odd(float* x) {\n  int left_unused;\n  app::scale<<<1, 1>>>(x, 1);\n}\n");
  const std::vector<std::string> flags{"-Xcompiler", "-Wall,-Wno-unknown-pragmas"};
  lock(flags);
  EXPECT_THAT(compile(flags).all(), HasSubstr("scale.cu(20): warning"));
  EXPECT_THAT(run(), HasSubstr("3 x 192\n"));
}

}  // namespace
}  // namespace hone::tests
