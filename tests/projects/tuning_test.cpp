// The whole line: a pragma, hone_target(), the target hone-tune, a rebuild, a faster program with the right answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cache/lock_file.h"
#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// The first candidate writes the inner loop out and wins by far.
constexpr const char* kSum = R"(#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=20000) tolerance(rtol=1e-4)
void add_up(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += x[i] * 0.25f;
    y[i] = sum;
  }
}
)";
constexpr const char* kMain = R"(#include <cstdio>
void add_up(const float* x, float* y, int n);
int main() {
  constexpr int n = 40000;
  static float x[n], y[n];
  for (int i = 0; i < n; ++i) x[i] = i % 7;
  add_up(x, y, n);
  double sum = 0;
  for (float value : y) sum += value;
  std::printf("%.0f\n", sum);
}
)";

class Tuning : public testing::Test {
 protected:
  void SetUp() override {
    project.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(user CXX)
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
find_package(Hone REQUIRED)
add_custom_command(OUTPUT size.h COMMAND ${CMAKE_COMMAND} -E echo "enum { made };" > size.h VERBATIM)
add_executable(app main.cpp sum.cpp ${CMAKE_CURRENT_BINARY_DIR}/size.h)
target_include_directories(app PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
hone_target(app TRIALS 1 BUDGET 40s)
)");
    project.write("sum.cpp", std::string("#include \"size.h\"\n") + kSum);  // the header is generated
    project.write("main.cpp", kMain);
  }

  cache::LockFile lock() { return cache::LockFile::read(project.lock()).value_or(cache::LockFile{}); }

  Project project;
};

TEST_F(Tuning, RunsAsTargetAndNextBuildLinksVariant) {
  ASSERT_TRUE(project.configure("Ninja", {"-DCMAKE_BUILD_TYPE=Release"}).ok());
  Outcome tuned = project.build_target("hone-tune");
  ASSERT_TRUE(tuned.ok()) << tuned.all();
  ASSERT_EQ(lock().entries.size(), 1u) << tuned.all();
  const cache::LockEntry entry = lock().entries.front();
  ASSERT_TRUE(entry.variant) << tuned.all();
  EXPECT_GT(entry.speedup, 1.02);
  EXPECT_EQ(entry.file, "sum.cpp");
  EXPECT_TRUE(fs::exists(project.blob(*entry.variant)));

  Outcome built = project.build_target();
  ASSERT_TRUE(built.ok());
  EXPECT_THAT(built.all(), HasSubstr("sum.cpp.o"));
  EXPECT_THAT(built.all(), Not(HasSubstr("note: hone")));
  EXPECT_EQ(project.program("app").out, "239990\n");
  EXPECT_THAT(project.build_target().all(), HasSubstr("no work to do"));

  // What is committed is enough for another machine: no user's store, a fresh build.
  fs::remove_all(project.folder() / "user cache");
  ASSERT_TRUE(project.build_target("clean").ok());
  EXPECT_THAT(project.build_target().all(), Not(HasSubstr("note: hone")));

  // Known is known: nothing is searched again.
  std::string before = project.read(project.lock());
  EXPECT_TRUE(project.build_target("hone-tune-app").ok());
  EXPECT_EQ(project.read(project.lock()), before);
}

TEST_F(Tuning, LinksTwoVariantsWithSameHelpers) {
  project.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(user CXX)
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
find_package(Hone REQUIRED)
add_library(growth STATIC growth.cpp)
hone_target(growth TRIALS 1 BUDGET 40s)
)");
  project.write("growth.cpp", R"(extern "C" float expf(float) noexcept;
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=20000)
void grow(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = expf(x[i]);
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=20000)
void shrink(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = expf(-x[i]);
}
)");
  ASSERT_TRUE(project.configure("Ninja", {"-DCMAKE_BUILD_TYPE=Release"}).ok());
  Outcome tuned = project.build_target("hone-tune");
  ASSERT_TRUE(tuned.ok()) << tuned.all();
  ASSERT_EQ(lock().entries.size(), 2u) << tuned.all();
  for (const cache::LockEntry& entry : lock().entries) ASSERT_TRUE(entry.variant) << tuned.all();
  Outcome built = project.build_target();
  ASSERT_TRUE(built.ok()) << built.all();
  EXPECT_THAT(built.all(), HasSubstr("growth.cpp.o"));
  EXPECT_THAT(built.all(), Not(HasSubstr("note: hone")));
}

TEST_F(Tuning, SucceedsIfKernelCannotGain) {
  project.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(user CXX)
find_package(Hone REQUIRED)
add_library(copies STATIC copy.cpp)
hone_target(copies TRIALS 2 BUDGET 40s)
)");
  project.write("copy.cpp", R"(#include <cstring>
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100000)
void copy(const float* x, float* y, int n) { std::memcpy(y, x, sizeof(float) * (n > 0 ? n : 0)); }
)");
  ASSERT_TRUE(project.configure("Ninja", {"-DCMAKE_BUILD_TYPE=Release"}).ok());
  Outcome tuned = project.build_target("hone-tune");
  ASSERT_TRUE(tuned.ok()) << tuned.all();
  ASSERT_EQ(lock().entries.size(), 1u) << tuned.all();
  EXPECT_FALSE(lock().entries.front().variant) << tuned.all();
}

TEST_F(Tuning, HappensWithinOneBuildInModeTune) {
  ASSERT_TRUE(project.configure("Ninja", {"-DCMAKE_BUILD_TYPE=Release", "-DHONE_MODE=tune"}).ok());
  Outcome built = project.build_target();
  ASSERT_TRUE(built.ok()) << built.all();
  ASSERT_EQ(lock().entries.size(), 1u) << built.all();
  EXPECT_THAT(built.all(), Not(HasSubstr("is not tuned")));
  EXPECT_EQ(project.program("app").out, "239990\n");
  std::string before = project.read(project.lock());
  ASSERT_TRUE(project.build_target().ok());
  EXPECT_EQ(project.read(project.lock()), before);
  EXPECT_THAT(project.build_target().all(), HasSubstr("no work to do"));
}

}  // namespace
}  // namespace hone::tests
