// `hone cc` in front of a real nvcc, with lock files and variants written by hand. Nothing here needs a device; without
// nvcc it is skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kNvcc = "/usr/local/cuda/bin/nvcc";
constexpr const char* kScale = R"(#include <cstdio>
#include "factor.h"
static __global__ void times_factor(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= FACTOR;
}
namespace app {
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void scale(float* x, int n) {
  times_factor<<<(n + 255) / 256, 256>>>(x, n);
}
}
int main(int argc, char**) {
  if (argc > 1) app::scale(nullptr, 0);
  std::printf("%s line %d\n", __FILE__, __LINE__);
}
)";
constexpr const char* kVariant = R"(static __global__ void four_at_a_time(float* x, int n) {
  const int unused = 0;
  for (int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x), end = min(i + 4, n); i < end; ++i) x[i] *= FACTOR;
}
void scale(float* x, int n) { four_at_a_time<<<(n + 1023) / 1024, 256>>>(x, n); }
)";

class CudaApply : public testing::Test {
 protected:
  void SetUp() override {
    if (::access(kNvcc, X_OK) != 0) GTEST_SKIP() << "there is no " << kNvcc;
    project.write("scale.cu", kScale);
    project.write("factor.h", "#define FACTOR 2\n");
  }

  std::vector<std::string> nvcc(const std::string& file, const std::vector<std::string>& flags) const {
    std::vector<std::string> command = {kNvcc, "-std=c++17", "-arch=sm_90"};
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {"-c", (project.source() / file).string(), "-o", project.object(file).string()});
    return command;
  }
  Outcome compile(const std::vector<std::string>& flags = {}, const std::vector<std::string>& options = {},
                  const std::vector<std::string>& environment = {}, const std::string& file = "scale.cu") const {
    std::vector<std::string> command = {HONE_PROGRAM, "cc"};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back("--");
    const auto compiler = nvcc(file, flags);
    command.insert(command.end(), compiler.begin(), compiler.end());
    return project.run(command, project.source(), environment);
  }
  std::string key(const std::vector<std::string>& flags = {}) const {
    return project.key_of_command("app::scale", "scale.cu", nvcc("scale.cu", flags));
  }
  std::string lock(const std::string& variant, const std::vector<std::string>& flags = {}) const {
    return project.lock_variant("app::scale", "scale.cu", key(flags), variant);
  }
  // The names of its kernels stand in it.
  std::string object() const { return project.read(project.object("scale.cu")); }
  std::string place() const { return (project.source() / "scale.cu").string() + ":8: note: hone: "; }

  Project project;
};

TEST_F(CudaApply, CompilesLockedVariant) {
  lock(kVariant);
  const Outcome compiled = compile();
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_EQ(compiled.all(), "");
  EXPECT_THAT(object(), AllOf(HasSubstr("four_at_a_time"), HasSubstr("times_factor")));
  EXPECT_FALSE(fs::exists(project.object("scale.cu").string() + ".hone"));
  const Outcome linked = project.run(
      {kNvcc, "-arch=sm_90", project.object("scale.cu").string(), "-o", (project.build() / "program").string()},
      project.source());
  ASSERT_TRUE(linked.ok()) << linked.all();
  EXPECT_EQ(project.program("program").out, (project.source() / "scale.cu").string() + " line 15\n");
}

TEST_F(CudaApply, CompilesOriginalOfUntunedKernelWithOneNote) {
  const Outcome compiled = compile();
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, HasSubstr(place() + "'app::scale' is not tuned"));
  EXPECT_EQ(count(compiled.err, "hone:"), 1u);
  EXPECT_THAT(object(), Not(HasSubstr("four_at_a_time")));
}

// nvcc writes its process number into an object, unless it keeps its intermediate files.
TEST_F(CudaApply, GivesObjectOfCompilerIfOff) {
  lock(kVariant);
  const fs::path kept = project.folder() / "kept";
  fs::create_directories(kept);
  const std::vector<std::string> flags{"-keep", "-keep-dir", kept.string()};
  ASSERT_TRUE(compile(flags, {}, {"HONE_MODE=off"}).ok());
  const std::string off = object();
  ASSERT_TRUE(project.run(nvcc("scale.cu", flags), project.source()).ok());
  EXPECT_TRUE(off == object());
}

TEST_F(CudaApply, TreatsKernelAsUntunedForOtherArchitecture) {
  lock(kVariant);
  const std::string tuned = key();
  const std::vector<std::string> both{"-gencode=arch=compute_80,code=sm_80"};
  EXPECT_NE(key(both), tuned);
  const Outcome compiled = compile(both);
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, HasSubstr("'app::scale' was tuned for another"));
  EXPECT_THAT(object(), Not(HasSubstr("four_at_a_time")));
}

TEST_F(CudaApply, CorrectsDependencyFile) {
  lock(kVariant);
  const fs::path depfile = project.build() / "scale.d";
  const std::vector<std::string> flags{"-MD", "-MT", "scale.o", "-MF", depfile.string()};
  ASSERT_TRUE(compile(flags).ok());
  const std::string applied = project.read(depfile);
  EXPECT_THAT(applied, AllOf(HasSubstr("my\\ source/scale.cu"), HasSubstr("my\\ source/hone.lock"),
                             HasSubstr("factor.h"), Not(HasSubstr(".hone/"))));
  EXPECT_THAT(applied, HasSubstr("my\\ source/hone/cas/"));
  EXPECT_EQ(count(applied, "hone/cas/"), 1u) << "what a line directive names is no file";
}

TEST_F(CudaApply, ReadsOptionsFileOfNvcc) {
  fs::create_directories(project.source() / "inc");
  fs::rename(project.source() / "factor.h", project.source() / "inc/factor.h");
  std::ofstream(project.build() / "includes.rsp") << "-I\"" + (project.source() / "inc").string() + "\"\n";
  const std::vector<std::string> flags{"--options-file", (project.build() / "includes.rsp").string()};
  lock(kVariant, flags);
  const Outcome compiled = compile(flags);
  EXPECT_EQ(compiled.all(), "");
  EXPECT_THAT(object(), HasSubstr("four_at_a_time"));
}

TEST_F(CudaApply, KeepsLocationsOfDiagnostics) {
  project.write("scale.cu", std::string(kScale) + "void more() { int left_unused; }\n#pragma message \"hear\"\n");
  lock(kVariant);
  const std::vector<std::string> flags{"-Xcompiler", "-Wall,-Wno-unknown-pragmas"};
  lock(kVariant, flags);
  const Outcome compiled = compile(flags), plain = project.run(nvcc("scale.cu", flags), project.source());
  EXPECT_EQ(compiled.code, plain.code);
  EXPECT_EQ(compiled.all(), plain.all());
  EXPECT_THAT(plain.all(), HasSubstr("left_unused"));
}

TEST_F(CudaApply, IgnoresWarningsInVariant) {
  lock(kVariant);
  const std::vector<std::string> flags{"-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Wno-unknown-pragmas"};
  lock(kVariant, flags);
  const Outcome compiled = compile(flags);
  EXPECT_EQ(compiled.all(), "");
  EXPECT_THAT(object(), HasSubstr("four_at_a_time"));
}

TEST_F(CudaApply, CompilesOriginalIfVariantDoesNotCompile) {
  lock("void scale(float* x, int n) {\n  nothing<<<1, 1>>>(x, n);\n}\n");
  const Outcome compiled = compile();
  ASSERT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_THAT(compiled.err, HasSubstr(place() + "the locked variant of 'app::scale' is refused"));
  EXPECT_THAT(compiled.err, HasSubstr("hone/cas/"));
  EXPECT_EQ(count(compiled.err, "\n"), 1u) << compiled.err;
  EXPECT_THAT(object(), HasSubstr("times_factor"));
  EXPECT_EQ(compile({}, {"--locked"}).code, 1);
}

TEST_F(CudaApply, WorksWithCcache) {
  if (!project.run({"ccache", "--version"}, project.source()).ok()) GTEST_SKIP() << "there is no ccache";
  lock(kVariant);
  std::vector<std::string> command = nvcc("scale.cu", {});
  command.insert(command.begin(), {HONE_PROGRAM, "cc", "--", "ccache"});
  for (int i = 0; i < 2; ++i) {
    fs::remove(project.object("scale.cu"));
    const Outcome compiled = project.run(command, project.source());
    ASSERT_TRUE(compiled.ok()) << compiled.all();
    EXPECT_THAT(object(), HasSubstr("four_at_a_time"));
  }
  EXPECT_THAT(project.run({"ccache", "--print-stats"}, project.source()).out, HasSubstr("local_storage_hit\t1"));
}

TEST_F(CudaApply, PassesSourceWithoutAnnotationToNvcc) {
  project.write("plain.cu", "__global__ void plain() {}\n");
  const Outcome compiled = compile({}, {}, {"HONE_TOOL=/bin/false"}, "plain.cu");
  EXPECT_TRUE(compiled.ok()) << compiled.all();
  EXPECT_TRUE(fs::exists(project.object("plain.cu")));
  EXPECT_FALSE(compile({}, {}, {"HONE_TOOL=/bin/false"}).ok()) << "one with an annotation does not";
}

}  // namespace
}  // namespace hone::tests
