// hone_target() in projects with CUDA that are really configured and built by nvcc. Nothing here needs a device;
// without nvcc it is skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kNvcc = "/usr/local/cuda/bin/nvcc";
// Mixed languages; an object library and a static one with kernels, relocatable device code in one of them.
constexpr const char* kList = R"(cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX CUDA)
if(WITH_HONE)
  find_package(Hone REQUIRED)
endif()
add_library(kernels STATIC scale.cu)
target_include_directories(kernels PUBLIC "header folder")
add_library(more OBJECT shift.cu helper.cu)
set_target_properties(more PROPERTIES CUDA_SEPARABLE_COMPILATION ON POSITION_INDEPENDENT_CODE ON)
add_executable(app main.cpp sum.cpp)
target_link_libraries(app PRIVATE kernels more)
set_target_properties(app PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
if(WITH_HONE)
  foreach(target kernels more app)
    hone_target(${target})
  endforeach()
endif()
)";
constexpr const char* kScale = R"(#include "scale.h"
static __global__ void times_factor(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= FACTOR;
}
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void scale(float* x, int n) {
  times_factor<<<(n + 255) / 256, 256>>>(x, n);
}
int scale_line() { return __LINE__; }
)";
constexpr const char* kScaleVariant =
    "static __global__ void scaled_by_stride(float* x, int n) {\n"
    "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= FACTOR;\n}\n"
    "void scale(float* x, int n) { scaled_by_stride<<<64, 256>>>(x, n); }\n";
constexpr const char* kShift = R"(__device__ float shifted(float x);
static __global__ void shift_all(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] + 1;
}
#pragma hone kernel inout(x[0:n]) problem(n=1000)
void shift(float* x, int n) {
  shift_all<<<(n + 255) / 256, 256>>>(x, n);
}
__global__ void uses_helper(float* x) { *x = shifted(*x); }
)";
constexpr const char* kShiftVariant =
    "static __global__ void shifted_by_stride(float* x, int n) {\n"
    "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = x[i] + 1;\n}\n"
    "void shift(float* x, int n) { shifted_by_stride<<<64, 256>>>(x, n); }\n";
constexpr const char* kMain = R"(#include <cstdio>
#include "scale.h"
float sum(const float* x, int n);
int main(int argc, char**) {
  float x[2] = {1, 2};
  if (argc > 1) {
    scale(x, 2);
    shift(x, 2);
  }
  std::printf("%g line %d\n", sum(x, 2), scale_line());
}
)";
constexpr const char* kSum = R"(#pragma hone kernel in(x[0:n]) problem(n=1000)
float sum(const float* x, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i) s += x[i];
  return s;
}
)";
constexpr const char* kSumVariant = "float sum(const float* x, int n) { return n > 0 ? 7.0f + x[0] : 0.0f; }\n";

class CudaCMake : public testing::Test {
 protected:
  void SetUp() override {
    if (::access(kNvcc, X_OK) != 0) GTEST_SKIP() << "there is no " << kNvcc;
    project.write("CMakeLists.txt", kList);
    project.write("header folder/scale.h",
                  "#define FACTOR 2\nvoid scale(float*, int);\nvoid shift(float*, int);\nint scale_line();\n");
    project.write("scale.cu", kScale);
    project.write("shift.cu", kShift);
    project.write("helper.cu", "__device__ float shifted(float x) { return x + 1; }\n");
    project.write("main.cpp", kMain);
    project.write("sum.cpp", kSum);
  }

  Outcome configure(const std::string& generator, const fs::path& binary = {}, std::vector<std::string> more = {},
                    const std::string& flags = "") {
    std::vector<std::string> options = {"-DCMAKE_CUDA_COMPILER=" + std::string(kNvcc),
                                        "-DCMAKE_CUDA_ARCHITECTURES=80;90-real", "-DWITH_HONE=ON",
                                        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CUDA_FLAGS=" + flags};
    options.insert(options.end(), more.begin(), more.end());
    return project.configure(generator, options, binary);
  }
  void lock_all(const fs::path& binary = {}) {
    project.lock_variant("scale", "scale.cu", project.key("scale", binary), kScaleVariant, "sm_90");
    project.lock_variant("shift", "shift.cu", project.key("shift", binary), kShiftVariant, "sm_90");
    project.lock_variant("sum", "sum.cpp", project.key("sum", binary), kSumVariant);
  }
  fs::path object(const std::string& target, const std::string& file, const fs::path& binary = {}) const {
    return (binary.empty() ? project.build() : binary) / "CMakeFiles" / (target + ".dir") / (file + ".o");
  }
  Project project;
};

class EachCudaGenerator : public CudaCMake, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Generators, EachCudaGenerator, testing::Values("Ninja", "Unix Makefiles"),
                         [](const auto& info) { return std::string(info.param).substr(info.param[0] == 'U' ? 5 : 0); });

TEST_P(EachCudaGenerator, LinksLockedVariantAndRebuildsOnlyDependents) {
  const Outcome configured = configure(GetParam());
  ASSERT_TRUE(configured.ok()) << configured.all();
  lock_all();
  Outcome built = project.build_target();
  ASSERT_TRUE(built.ok()) << built.all();
  EXPECT_THAT(built.all(), Not(HasSubstr("note: hone")));
  EXPECT_EQ(project.program("app").out, "8 line 10\n");
  EXPECT_THAT(project.read(object("kernels", "scale.cu")),
              AllOf(HasSubstr("scaled_by_stride"), HasSubstr("sm_80"), HasSubstr("sm_90")));
  EXPECT_THAT(project.read(object("more", "shift.cu")), HasSubstr("shifted_by_stride"));

  // Nothing to do is nothing done.
  const auto time = fs::last_write_time(object("kernels", "scale.cu"));
  const auto helper_time = fs::last_write_time(object("more", "helper.cu"));
  ASSERT_TRUE(project.build_target().ok());
  EXPECT_EQ(fs::last_write_time(object("kernels", "scale.cu")), time);

  // The lock file recompiles what depends on it, a header what includes it; and with the header the meaning changes.
  project.write("header folder/scale.h",
                "#define FACTOR 3\nvoid scale(float*, int);\nvoid shift(float*, int);\nint scale_line();\n");
  fs::last_write_time(project.source() / "header folder/scale.h",
                      fs::file_time_type::clock::now() + std::chrono::seconds(2));
  built = project.build_target();
  EXPECT_THAT(built.all(), HasSubstr("'scale' was tuned for another text"));
  EXPECT_EQ(count(built.all(), "note: hone"), 1u);
  EXPECT_THAT(project.read(object("kernels", "scale.cu")), Not(HasSubstr("scaled_by_stride")));
  EXPECT_EQ(fs::last_write_time(object("more", "helper.cu")), helper_time);
}

// nvcc writes its process number into an object, unless it keeps its intermediate files.
TEST_F(CudaCMake, GivesSameBuildAsWithoutHoneIfOff) {
  const fs::path binary = project.build(), kept = project.folder() / "kept";
  fs::create_directories(kept);
  const std::string keep = "-keep -keep-dir " + kept.string();
  const auto objects = [&] {
    std::vector<std::string> all;
    for (const fs::path& file : {object("kernels", "scale.cu"), object("more", "shift.cu"), object("app", "main.cpp")})
      all.push_back(project.read(file));
    return all;
  };
  ASSERT_TRUE(configure("Ninja", binary, {"-DHONE_MODE=off", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"}, keep).ok());
  ASSERT_TRUE(project.build_target("all", binary).ok());
  const std::string commands = project.read(binary / "compile_commands.json");
  const auto with = objects();
  fs::remove_all(binary);
  ASSERT_TRUE(configure("Ninja", binary, {"-DWITH_HONE=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"}, keep).ok());
  ASSERT_TRUE(project.build_target("all", binary).ok());
  EXPECT_EQ(commands, project.read(binary / "compile_commands.json"));
  const auto without = objects();
  for (std::size_t i = 0; i < with.size(); ++i) {
    EXPECT_FALSE(with[i].empty());
    EXPECT_TRUE(with[i] == without[i]) << i;
  }
}

TEST_F(CudaCMake, GivesSameObjectsInTwoCleanBuilds) {
  ASSERT_TRUE(configure("Ninja").ok());
  lock_all();
  ASSERT_TRUE(project.build_target().ok());
  const std::string scale = project.read(object("kernels", "scale.cu")),
                    shift = project.read(object("more", "shift.cu"));
  ASSERT_TRUE(project.build_target("clean").ok());
  ASSERT_FALSE(fs::exists(object("kernels", "scale.cu")));
  ASSERT_TRUE(project.build_target().ok());
  EXPECT_TRUE(scale == project.read(object("kernels", "scale.cu")));
  EXPECT_TRUE(shift == project.read(object("more", "shift.cu")));
  EXPECT_THAT(project.read(object("kernels", "scale.cu")), HasSubstr("scaled_by_stride"));
}

}  // namespace
}  // namespace hone::tests
